import ResourceLoading
import SystemPackage
import Testing

/// CONNECT tunnels, and what a proxy's refusal means.
@Suite(.timeLimit(.minutes(1)))
struct ProxyTests {
    let pack = TestPack(name: "p", body: content(10_000), tags: ["t"])

    @Test func plainHTTPGoesThroughATunnelToo() async throws {
        // The same server is the tunnel's far end: after its 200, it gets the requests for the host.
        try await Fixture.run([pack]) {
            $0.transfers.proxy = .tunnel($0.manifest.replacing("/AssetPackManifest.plist", with: ""))
            $0.manifest = "http://host.invalid/AssetPackManifest.plist"
            $0.transfers.headers = ["X-Token: secret"]
        } script: { request, _ in
            request.method == "CONNECT" ? [.text("HTTP/1.1 200 Connection established\r\n\r\n")] : nil
        } _: { fixture in
            try await fixture.expect(nil)
            #expect(fixture.stored(pack) == pack.body)
            let requests = fixture.server.requests
            let tunnels = requests.filter { $0.method == "CONNECT" }
            #expect(!tunnels.isEmpty && tunnels.allSatisfy { $0.target == "host.invalid:80" })
            #expect(tunnels.allSatisfy { $0.fields["x-token"] == nil })
            #expect(requests.filter { $0.method == "GET" }.allSatisfy { $0.fields["x-token"] == "secret" })
            // The proxy's 200 is not the host's response.
            let answers = fixture.log.all(.response).filter { $0.pack == "p" }
            #expect(answers.map(\.status) == [200] && answers.map(\.length) == [10_000])
        }
    }

    @Test(arguments: [
        ("destination_ip_unroutable", -1009), ("dns_error", -1003), ("dns_timeout", -1001),
        ("connection_timeout", -1001), ("connection_refused", -1004),
    ])
    func aRefusalHasTheCodeOfItsProxyStatus(word: String, code: Int) async throws {
        try await Fixture.run([pack]) {
            $0.transfers.proxy = .tunnel($0.manifest.replacing("/AssetPackManifest.plist", with: ""))
        } script: { request, _ in
            guard request.method == "CONNECT" else { return nil }
            return [.head(502, "Proxy-Status: headwind; error=\(word)", "Content-Length: 0")]
        } _: { fixture in
            try await fixture.expect(code)
        }
    }

    @Test func aLostRouteThatComesBackIsWaitedFor() async throws {
        try await Fixture.run([pack]) {
            $0.transfers.proxy = .tunnel($0.manifest.replacing("/AssetPackManifest.plist", with: ""))
            $0.pause = { _ in await Task.yield() }
        } script: { request, pack in
            if request.method == "CONNECT" {
                // Manifest and tag table have a tunnel each; the pack's first try uses one of them or a third.
                return request.number == 4 || request.number == 5
                    ? [.head(503, "Proxy-Status: headwind; error=destination_ip_unroutable", "Content-Length: 0")]
                    : [.text("HTTP/1.1 200 OK\r\n\r\n")]
            }
            guard let pack, request.number == 1 else { return nil }
            return [Right.whole(pack.body)[0], .send(Array(pack.body[..<4000])), .reset]
        } _: { fixture in
            try await fixture.expect(nil)
            #expect(fixture.stored(pack) == pack.body)
        }
    }
}
