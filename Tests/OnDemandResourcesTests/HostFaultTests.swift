import Glibc
import ResourceLoading
import Synchronization
import SystemPackage
import Testing

/// Hosts that answer wrongly, late or never: each row of the table of errors that a host can cause, on real sockets.
@Suite(.timeLimit(.minutes(1)))
struct HostFaultTests {
    let pack = TestPack(name: "p", body: content(50_000), tags: ["t"])

    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The error code that the request must end with; nil if it must succeed.
        var code: Int?
        /// The expected number of requests for the pack.
        var requests: Int
        var steps: @Sendable (ScriptedServer.Request, [UInt8]) -> [ScriptedServer.Step]

        init(
            _ name: String,
            _ code: Int?,
            requests: Int,
            _ steps: @escaping @Sendable (ScriptedServer.Request, [UInt8]) -> [ScriptedServer.Step]
        ) {
            (testDescription, self.code, self.requests, self.steps) = (name, code, requests, steps)
        }
    }

    static let empty = "Content-Length: 0"
    static let page = Array("<html>Please log in</html>".utf8)

    static let faults: [Fault] = [
        Fault("404", -1008, requests: 1) { _, _ in [.head(404, empty)] },
        Fault("410", -1008, requests: 1) { _, _ in [.head(410, empty)] },
        Fault("403", -1008, requests: 1) { _, _ in [.head(403, empty)] },
        Fault("401", -1013, requests: 1) { _, _ in [.head(401, empty)] },
        Fault("407", -1013, requests: 1) { _, _ in [.head(407, empty)] },
        Fault("a status that is unknown here", -1011, requests: 1) { _, _ in [.head(204)] },
        Fault("503 once", nil, requests: 2) { request, body in
            request.number == 1 ? [.head(503, empty)] : Right.answer(request, body)
        },
        Fault("503 with a long error page, which is not the pack", nil, requests: 2) { request, body in
            request.number == 1
                ? [.head(503, "Content-Length: 200000"), .send(content(200_000))] : Right.answer(request, body)
        },
        Fault("no bytes of the body, three times", -1005, requests: 3) { _, body in
            [.head(200, "Content-Length: \(body.count)", "ETag: \"e\""), .close]
        },
        Fault("a range that is ignored and cut at the same place", -1005, requests: 4) { _, body in
            [.head(200, "Content-Length: \(body.count)", "ETag: \"e\""), .send(Array(body[..<9000])), .close]
        },
        Fault("longer than the manifest says", -1011, requests: 1) { _, body in
            [.head(200, "Content-Length: \(body.count + 1)"), .send(body), .send([0])]
        },
        Fault("shorter than the manifest says", -1011, requests: 1) { _, body in
            [.head(200, "Content-Length: \(body.count - 1)"), .send(Array(body.dropLast()))]
        },
        Fault("more in chunks than the manifest says", -1011, requests: 1) { _, body in
            [
                .head(200, "Transfer-Encoding: chunked"), .text("\(String(body.count + 1, radix: 16))\r\n"),
                .send(body + [0]), .text("\r\n0\r\n\r\n"),
            ]
        },
        Fault("chunks with trailers", nil, requests: 1) { _, body in
            [
                .head(200, "Transfer-Encoding: chunked", "Trailer: X-Sum"),
                .text("\(String(body.count, radix: 16))\r\n"),
                .send(body), .text("\r\n0\r\nX-Sum: 1\r\n\r\n"),
            ]
        },
        Fault("an interim response first", nil, requests: 1) { request, body in
            [.text("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")] + Right.answer(request, body)
        },
        Fault("a part that was not asked for", -1011, requests: 1) { _, body in
            [Right.partHead(0, body.count), .send(body)]
        },
        Fault("another part than was asked for", -1011, requests: 2) { request, body in
            guard let from = request.from else {
                return [Right.whole(body)[0], .send(Array(body[..<1000])), .close]
            }
            return [Right.partHead(from + 1, body.count), .send(Array(body[(from + 1)...]))]
        },
        Fault("a captive portal's page", -1016, requests: 2) { _, _ in
            [.head(200, "Content-Type: text/html; charset=utf-8", "Content-Length: \(page.count)"), .send(page)]
        },
        Fault("a captive portal's page once", nil, requests: 2) { request, body in
            request.number > 1
                ? Right.answer(request, body)
                : [.head(200, "Content-Type: text/html", "Content-Length: \(page.count)"), .send(page)]
        },
        Fault("a wrong byte once", nil, requests: 2) { request, body in
            Right.answer(request, request.number == 1 ? damaged(body) : body)
        },
        Fault("a wrong byte always", -1016, requests: 2) { request, body in Right.answer(request, damaged(body)) },
        Fault("redirects without end", -1007, requests: 11) { request, _ in
            [.head(302, "Location: \(request.target)", empty)]
        },
        Fault("a redirect to nowhere", -1011, requests: 1) { _, _ in [.head(302, empty)] },
        Fault("no HTTP", -1011, requests: 1) { _, _ in [.text("SSH-2.0-OpenSSH_9.2\r\n\r\n"), .close] },
    ]

    static func damaged(_ body: [UInt8]) -> [UInt8] {
        var body = body
        body[body.count / 2] ^= 1
        return body
    }

    @Test(arguments: faults)
    func endsAsTheTableSays(fault: Fault) async throws {
        try await Fixture.run([pack]) {
            // Other tests check the pauses; here they would only take time.
            $0.pause = { _ in await Task.yield() }
        } script: { request, pack in
            pack.map { fault.steps(request, $0.body) }
        } _: { fixture in
            let error = try await fixture.request("t")
            #expect(error?.code == fault.code)
            #expect(error == nil || error?.domain == .url && error?.kind == .network)
            #expect(fixture.server.requests(for: pack.target).count == fault.requests)
            // Each response for the pack has exactly one `received` event.
            let answers = fixture.log.all.count { $0.kind == .response && $0.pack == "p" }
            let ends = fixture.log.all.count { $0.kind == .received && $0.pack == "p" }
            #expect(answers == ends)
            #expect(fixture.stored(pack) == (fault.code == nil ? pack.body : nil))
        }
    }

    @Test func headerFieldsStayWithTheirOrigin() async throws {
        let pack = pack
        let other = try ScriptedServer { Right.answer($0, pack.body) }
        defer { other.stop() }
        let away = other.url("/elsewhere")
        try await Fixture.run([pack]) {
            $0.transfers.headers = ["X-Token: secret"]
        } script: { request, pack in
            pack.map { _ in [.head(307, "Location: \(away)", "Content-Length: 0")] }
        } _: { fixture in
            try await fixture.expect(nil)
            #expect(fixture.server.requests.allSatisfy { $0.fields["x-token"] == "secret" })
            #expect(other.requests.map { $0.fields["x-token"] } == [nil])
        }
    }

    @Test func aClosedPortCannotBeConnectedTo() async throws {
        let nobody = try LoopbackPort()
        defer { withExtendedLifetime(nobody) {} }
        let url = "http://127.0.0.1:\(nobody.port)/AssetPackManifest.plist"
        try await withTemporaryFolder { folder in
            let loader = try ResourceLoader(LoaderConfiguration(manifest: url, store: folder.appending("store")))
            let error = await loader.request(["t"]).1
            await loader.close()
            #expect(error?.code == -1004)
            #expect(error?.underlying?.domain == "libcurl")
        }
    }

    @Test func aPortWithoutTLSFailsTheHandshake() async throws {
        let server = try ScriptedServer(greeting: Array("220 mail.example ESMTP\r\n".utf8)) { _ in [] }
        defer { server.stop() }
        try await withTemporaryFolder { folder in
            let url = server.url("/AssetPackManifest.plist").replacing("http://", with: "https://")
            let loader = try ResourceLoader(LoaderConfiguration(manifest: url, store: folder.appending("store")))
            #expect(await loader.request(["t"]).1?.code == -1200)
            await loader.close()
        }
    }
}
