import LinkModel
import NIOCore
import Testing

@testable import ProxyLink

/// curl as a client: how it reports the proxy's answers.
@Suite(.timeLimit(.minutes(1)))
struct CurlTests {
    /// Answers one request with `body`, and closes the connection.
    private func answer(_ listener: PeerListener, _ body: String) async throws {
        let host = try await listener.accept()
        var head = ""
        while !head.hasSuffix("\r\n\r\n") { head += await host.receiveText(1) }
        try await host.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
        try await host.finish()
        _ = await host.receiveAll()
    }

    @Test(arguments: ["-x http://", "-p -x http://", "-x socks5://", "-x socks5h://"])
    func aPageComesThroughTheProxyInAnyWay(option: String) async throws {
        try await PeerListener.with { listener in
            try await withTestLink(.link(rate: 50_000_000, delay: .milliseconds(5)), to: listener) { link in
                let proxy = try #require(link.forwardAddress)
                let command = "curl -sS \(option)\(proxy) http://\(listener.endpoint)/page"
                async let served: Void = answer(listener, "hello")
                let result = await Shell.run(command)
                try await served
                #expect(result.output == "hello")
                #expect(result.status == 0)
            }
        }
    }

    @Test(arguments: [
        (OfflineKind.noRoute, "502", "56"), (.refused, "502", "56"), (.noName, "502", "56"), (.silent, "000", "28"),
    ])
    func curlReportsHowTheLinkIsOffline(kind: OfflineKind, code: String, error: String) async throws {
        let configuration = ProxyLinkConfiguration(
            profile: Profile(name: "off", conditions: .offline(kind)), routes: RouteTable(policy: .direct))
        try await withProxyLink(configuration) { link in
            let proxy = try #require(link.forwardAddress)
            let result = await Shell.run(
                "curl -s -m 1 -o /dev/null -w '%{http_connect} %{exitcode}' -x http://\(proxy) https://packs.test/")
            #expect(result.output == "\(code) \(error)")
        }
    }

    @Test func connectingThroughATunnelTakesARoundTrip() async throws {
        try await PeerListener.with { listener in
            try await withTestLink(.link(delay: .milliseconds(100)), to: listener) { link in
                let proxy = try #require(link.forwardAddress)
                async let served: Void = answer(listener, "hello")
                let times = "%{time_pretransfer} %{time_starttransfer}"
                let result = await Shell.run(
                    "curl -sS -o /dev/null -w '\(times)' -p -x http://\(proxy) http://\(listener.endpoint)/page")
                try await served
                let seconds = result.output.split(separator: " ").compactMap { Double($0) }
                try #require(seconds.count == 2)
                // Never sooner; how much later depends on the machine.
                #expect(seconds[0] >= 0.2 && seconds[1] >= 0.4, "\(seconds)")
            }
        }
    }
}
