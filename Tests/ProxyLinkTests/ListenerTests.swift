import LinkModel
import NIOCore
import NIOPosix
import Testing

@testable import ProxyLink

@Suite(.timeLimit(.minutes(1)))
struct ListenerTests {
    @Test(arguments: [Profile.open, .link(rate: 100_000_000, delay: .milliseconds(1))])
    func reverseListenerRelaysBothWaysAndHalfClosesInOrder(profile: Profile) async throws {
        try await PeerListener.with { listener in
            try await withTestLink(profile, to: listener) { link in
                let client = try await link.connect()
                let host = try await listener.accept()
                try await client.send(pattern(100_000))
                try await client.finish()
                let (request, ending) = await host.receiveAll()
                #expect(request == pattern(100_000))
                #expect(ending == .end)
                try await host.send(pattern(200_000))
                try await host.finish()
                let (response, end) = await client.receiveAll()
                #expect(response == pattern(200_000))
                #expect(end == .end)
                let cause = await link.event { event in
                    if case .closed(200_000, 100_000, let cause) = event.kind { cause } else { nil }
                }
                #expect(cause == .finished)
            }
        }
    }

    /// A client that sends nothing may still wait for a server that speaks first.
    @Test func aHalfCloseBeforeTheTargetIsConnectedKeepsTheAnswer() async throws {
        try await PeerListener.with { listener in
            try await withTestLink(.link(delay: .milliseconds(200)), to: listener) { link in
                let client = try await link.connect()
                try await client.finish()
                let host = try await listener.accept()
                #expect(await host.receiveAll().ending == .end)
                try await host.send("220")
                try await host.finish()
                let (answer, ending) = await client.receiveAll()
                #expect(answer == Array("220".utf8) && ending == .end)
            }
        }
    }

    @Test func connectOpensATunnelAndPassesOnEarlyBytes() async throws {
        try await PeerListener.with { listener in
            try await withTestLink(to: listener) { link in
                let client = try await link.connectToProxy()
                try await client.send("CONNECT \(listener.endpoint) HTTP/1.1\r\nHost: x\r\n\r\nearly")
                let host = try await listener.accept()
                #expect(await client.receiveText(39) == "HTTP/1.1 200 Connection established\r\n\r\n")
                #expect(await host.receiveText(5) == "early")
                try await host.send("hello")
                #expect(await client.receiveText(5) == "hello")
            }
        }
    }

    @Test func absoluteFormIsRewrittenAndItsBodyStreamed() async throws {
        try await PeerListener.with { listener in
            let origin = Endpoint(host: "origin.test", port: 80)
            try await withTestLink(to: listener, routes: [origin: listener.endpoint]) { link in
                let client = try await link.connectToProxy()
                try await client.send(
                    """
                    POST http://Origin.test/up?secret=1 HTTP/1.1\r
                    Host: other.test\r
                    Proxy-Connection: keep-alive\r
                    Connection: keep-alive, X-Hop\r
                    X-Hop: 1\r
                    X-End: 2\r
                    Content-Length: 5\r
                    \r
                    he
                    """)
                let host = try await listener.accept()
                try await client.send("llo")
                let expected = """
                    POST /up?secret=1 HTTP/1.1\r
                    Host: origin.test\r
                    X-End: 2\r
                    Content-Length: 5\r
                    Connection: close\r
                    \r
                    hello
                    """
                #expect(await host.receiveText(expected.utf8.count) == expected)
                try await host.send("HTTP/1.1 204 No Content\r\n\r\n")
                try await host.finish()
                #expect(await client.receiveAllText() == "HTTP/1.1 204 No Content\r\n\r\n")
                let key = await link.event { event in
                    if case .opened("forward", "\(origin)", let key, _) = event.kind { key } else { nil }
                }
                #expect(key == "/up")
            }
        }
    }

    @Test("a closed link refuses changes at once")
    func refusesWhenDown() async throws {
        var gone: ProxyLink?
        try await withProxyLink(ProxyLinkConfiguration(profile: .open)) { gone = $0 }
        let link = try #require(gone)
        await #expect(throws: ProxyLinkError.closed) { try await link.update { $0.offline = .silent } }
        await #expect(throws: ProxyLinkError.closed) { try await link.release() }
        await #expect(throws: ProxyLinkError.closed) { _ = try await link.record() }
    }

    @Test func aTargetWithoutARouteIsDenied() async throws {
        let configuration = ProxyLinkConfiguration(profile: .open)
        try await withProxyLink(configuration) { link in
            let client = try await link.connectToProxy()
            try await client.send("CONNECT example.test:443 HTTP/1.1\r\n\r\n")
            let answer = await client.receiveAllText()
            #expect(answer.hasPrefix("HTTP/1.1 403 Forbidden\r\nProxy-Status: headwind; error=http_request_denied\r\n"))
        }
    }

    @Test func aRealRefusalDiffersFromAModelledOne() async throws {
        // Port 1, tcpmux: nothing listens there.
        let gone = Endpoint(host: "127.0.0.1", port: 1)
        let configuration = ProxyLinkConfiguration(
            profile: .open, reverse: [.init(target: gone)], routes: RouteTable(policy: .direct))
        try await withProxyLink(configuration) { link in
            let client = try await link.connectToProxy()
            try await client.send("CONNECT \(gone) HTTP/1.1\r\n\r\n")
            let answer = await client.receiveAllText()
            #expect(
                answer.hasPrefix(
                    "HTTP/1.1 502 Bad Gateway\r\nProxy-Status: headwind; error=connection_refused; details="))
            let reason = await link.event { if case .refused(let reason) = $0.kind { reason } else { nil } }
            #expect(reason == "Could not connect to \(gone): Connection refused.")
            // The RST may arrive before the client's own connect returns.
            if let reverse = try? await link.connect() { #expect(await reverse.receiveAll().ending == .reset) }
        }
    }

    @Test(arguments: [End.client, .host], [Profile.open, .link(delay: .milliseconds(1))])
    func aResetArrivesAsAReset(end: End, profile: Profile) async throws {
        try await PeerListener.with { listener in
            try await withTestLink(profile, to: listener) { link in
                let client = try await link.connect()
                let host = try await listener.accept()
                try await client.send("x")
                _ = await host.receive(1)
                let (from, to) = end == .client ? (client, host) : (host, client)
                try await from.reset()
                #expect(await to.receiveAll().ending == .reset)
                let cause = await link.event { event in
                    if case .closed(_, _, let cause) = event.kind { cause } else { nil }
                }
                #expect(cause == (end == .client ? .clientReset : .hostReset))
            }
        }
    }

    /// The target's kernel accepts a connection before the proxy learns of it: the client may have left by then.
    @Test func aClientThatLeftWhileTheTargetWasConnectedIsReset() async throws {
        try await PeerListener.with { listener in
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let hasLeft = loop.makePromise(of: Void.self)
            let (engine, events, tuning) = try await loop.submit {
                let dialer = Dialer(eventLoop: loop, timeout: .seconds(10))
                let engine = LinkEngine(
                    ProxyLinkConfiguration(profile: .open), eventLoop: loop, meterClock: Instant.monotonic,
                    dial: { target, tuning, admission in
                        dialer.dial(target, tuning: tuning, admission: admission).flatMap { channel in
                            hasLeft.futureResult.map { channel }
                        }
                    })
                return (NIOLoopBound(engine, eventLoop: loop), engine.feed.events, engine.tuning)
            }.get()
            let address = try await Listener(engine: engine, eventLoop: loop, tuning: tuning)
                .listen(at: .anyLoopbackPort, entrance: .reverse(listener.endpoint)).address
            let client = try await Peer.connect(to: address)
            let host = try await listener.accept()
            try await client.reset()
            let ended = await events.first { if case .closed = $0.kind { true } else { false } }
            hasLeft.succeed()
            #expect(ended != nil)
            #expect(await host.receiveAll().ending == .reset)
            try await loop.submit {
                engine.value.listeners.forEach { $0.close(promise: nil) }
                engine.value.stop()
            }.get()
        }
    }

    /// A client that knows a proxy and an address behind it may use both.
    @Test(arguments: ["127.0.0.1", "localhost"])
    func theProxyReachesTheTargetOfItsOwnReverseListener(host: String) async throws {
        try await PeerListener.with { listener in
            let configuration = ProxyLinkConfiguration(profile: .open, reverse: [.init(target: listener.endpoint)])
            try await withProxyLink(configuration) { link in
                let client = try await link.connectToProxy()
                try await client.send("CONNECT \(host):\(link.reverseAddresses[0].port) HTTP/1.1\r\n\r\n")
                let head = "HTTP/1.1 200 Connection established\r\n\r\n"
                #expect(await client.receiveText(head.utf8.count) == head)
                let peer = try await listener.accept()
                try await peer.send("hello")
                #expect(await client.receiveText(5) == "hello")
                #expect(try await link.counters().open.count == 1)
            }
        }
    }

    @Test func aPlainRequestNamesItsConnectionAndTheSecondIsNumbered() async throws {
        try await PeerListener.with { listener in
            try await withTestLink(to: listener) { link in
                for nth in 1...2 {
                    let client = try await link.connect()
                    try await client.send("GET /packs/a.zip?token=1 HTTP/1.1\r\nHost: x\r\n\r\n")
                    let key = await link.event { if case .keyed(let key, _) = $0.kind { key } else { nil } }
                    #expect(key == (nth == 1 ? "/packs/a.zip" : "/packs/a.zip#2"))
                }
            }
        }
    }

    @Test func theHostSeesThePortThatTheEventNames() async throws {
        try await PeerListener.with { listener in
            try await withTestLink(to: listener) { link in
                _ = try await link.connect()
                let host = try await listener.accept()
                let port = await link.event { if case .hostSide(let port) = $0.kind { port } else { nil } }
                #expect(port == host.channel.remoteAddress?.port)
            }
        }
    }
}
