import LinkModel
import NIOCore
import NIOPosix
import Testing

@testable import ProxyLink

/// Named proxies with real sockets.
@Suite(.timeLimit(.minutes(1)))
struct NamedProxyTests {
    @Test func bytesPassBothWaysAndAreCounted() async throws {
        try await withNamedProxy { named, listener, address in
            let client = try await Peer.connect(to: address)
            let host = try await listener.accept()
            try await client.send("hello")
            #expect(await host.receiveText(5) == "hello")
            try await host.send("good morning")
            #expect(await client.receiveText(12) == "good morning")
            let proxy = try await named.proxy("p")
            #expect(proxy.sent == PerDirection(downlink: 12, uplink: 5) && proxy.received == proxy.sent)
            #expect(proxy.openConnections == 1)
            let open = try await named.connections
            #expect(open.map(\.link) == ["p"] && open[0].connection.proxy == "p" && open[0].connection.downlink == 12)
            try await client.finish()
            #expect(await host.receiveAll().ending == .end)
            try await host.finish()
            #expect(await client.receiveAll().ending == .end)
        }
    }

    @Test func aProxyThatIsDisabledIsRefusedAndItsConnectionsAreClosed() async throws {
        try await withNamedProxy { named, listener, address in
            let client = try await Peer.connect(to: address)
            let host = try await listener.accept()
            try await client.send("x")
            #expect(await host.receiveText(1) == "x")
            let off = try await named.update("p", isEnabled: false)
            #expect(!off.isEnabled && off.listen == "\(address)")
            #expect(await client.receiveAll().ending == .end)
            #expect(await host.receiveAll().ending == .end)
            await #expect(throws: (any Error).self) { try await Peer.connect(to: address) }
            let on = try await named.update("p", isEnabled: true)
            #expect(on.isEnabled && on.listen == "\(address)")
            let again = try await Peer.connect(to: address)
            try await again.send("x")
            #expect(try await listener.accept().receiveText(1) == "x")
        }
    }

    @Test func anotherUpstreamHoldsForNewConnectionsAndKeepsToxics() async throws {
        try await withNamedProxy { named, listener, address in
            try await named.add(Toxic(.limitData(bytes: 3)), to: "p")
            let client = try await Peer.connect(to: address)
            _ = try await listener.accept()
            try await PeerListener.with { other in
                let moved = try await named.update("p", upstream: "\(other.endpoint)")
                #expect(moved.listen == "\(address)" && moved.toxics.count == 1 && moved.isEnabled)
                #expect(await client.receiveAll().ending == .end)
                let second = try await Peer.connect(to: address)
                try await other.accept().send("abcdef")
                #expect(await second.receiveAll().bytes == Array("abc".utf8))
            }
        }
    }

    @Test func anUpstreamThatIsDownEndsTheConnection() async throws {
        try await withNamedProxy { named, _, address in
            let free = try await PeerListener.with { $0.endpoint }
            _ = try await named.update("p", upstream: "\(free)")
            let client = try await Peer.connect(to: address)
            #expect(await client.receiveAll().ending == .end)
        }
    }

    @Test func aProfileShapesTheLinkUntilItIsRemoved() async throws {
        try await withNamedProxy { named, listener, address in
            let slow = Toxic(
                name: "profile", direction: .downlink,
                effect: .profile(.link(delay: .milliseconds(40)), isNamed: true))
            try await named.add(slow, to: "p")
            let client = try await Peer.connect(to: address)
            let start = ContinuousClock.now
            let host = try await listener.accept()
            // A round trip passes before the first byte.
            #expect(start.duration(to: .now) >= .milliseconds(75))
            try await host.send("a")
            #expect(await client.receiveText(1) == "a")
            try await named.removeToxic("profile", of: "p")
            try await host.send("b")
            #expect(await client.receiveText(1) == "b")
        }
    }

    /// Two proxies of one link share its rate; a third has its own.
    @Test func proxiesShareALinkByItsName() async throws {
        try await withProxyLink(ProxyLinkConfiguration(profile: .open, forward: nil)) { link in
            for (name, group) in [("a", "radio"), ("b", "radio"), ("c", nil)] as [(String, String?)] {
                _ = try await link.named.add(NamedProxyRequest(name: name, listen: "", upstream: "x:1", link: group))
            }
            let profile = Toxic(
                name: "t", direction: .downlink, effect: .profile(.link(rate: 1_000_000), isNamed: true))
            try await link.named.add(profile, to: "a")
            let rates = try await link.named.eventLoop.submit { [registry = link.named.registry] in
                registry.value.entries.mapValues { $0.engine.conditions.downlink.rate?.bitsPerSecond }
            }.get()
            #expect(rates == ["a": 1_000_000, "b": 1_000_000, "c": nil])
            // The profile ends with its proxy, although the link stays.
            try await link.named.remove("a")
            #expect(try await link.named.link("radio").conditions.downlink.rate == nil)
            let failing = NamedProxyRequest(
                name: "a", listen: "192.0.2.9:1", upstream: "x:1", link: "radio", toxics: [profile])
            await #expect(throws: NamedProxyError.self) { try await link.named.add(failing) }
            #expect(try await link.named.link("radio").counters.generation == 2)
            // With the last of its proxies, the link and its profile are gone.
            try await link.named.add(profile, to: "b")
            try await link.named.remove("b")
            let new = try await link.named.add(NamedProxyRequest(name: "d", listen: "", upstream: "x:1", link: "radio"))
            #expect(new.link == "radio")
            let rate = try await link.named.eventLoop.submit { [registry = link.named.registry] in
                try registry.value.entry("d").engine.conditions.downlink.rate
            }.get()
            #expect(rate == nil)
        }
    }

    @Test func allProxiesShareTheBoundOnConnections() async throws {
        var limits = ProxyLimits()
        limits.connections = 2
        try await withNamedProxy(limits: limits) { named, listener, address in
            let second = try await named.add(
                NamedProxyRequest(name: "q", listen: "", upstream: "\(listener.endpoint)"))
            let peers = [
                try await Peer.connect(to: address), try await Peer.connect(to: Endpoint(parsing: second.listen)),
            ]
            for _ in peers { _ = try await listener.accept() }
            // The RST may arrive before the client's own connect returns.
            if let third = try? await Peer.connect(to: address) { #expect(await third.receiveAll().ending != nil) }
            #expect(try await named.proxy("p").openConnections == 1)
            peers[1].close()
        }
    }

    /// No named proxy connects to an API, whatever serves the API.
    @Test func noNamedProxyLeadsToAnAPI() async throws {
        try await withProxyLink(ProxyLinkConfiguration(profile: .open, forward: nil)) { link in
            let service = APIService(longestBody: 100) { _ in APIResponse(status: 200, contentType: "", body: [1]) }
            let api = try await link.serve(service, at: .anyLoopbackPort)
            for host in ["127.0.0.1", "localhost", "0.0.0.0"] {
                let proxy = try await link.named.add(
                    NamedProxyRequest(name: host, listen: "", upstream: "\(host):\(api.port)"))
                let client = try await Peer.connect(to: Endpoint(parsing: proxy.listen))
                _ = try? await client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                #expect(await client.receiveAll().bytes.isEmpty)
            }
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 200 OK"),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n", "HTTP/1.1 413 "),
    ])
    func anAPIIsServed(request: String, status: String) async throws {
        try await withProxyLink(ProxyLinkConfiguration(profile: .open, forward: nil)) { link in
            let service = APIService(longestBody: 100) { request in
                APIResponse(status: 200, contentType: "text/plain", body: Array(request.method.utf8))
            }
            let client = try await Peer.connect(to: link.serve(service, at: .anyLoopbackPort))
            try await client.send(request)
            #expect(await client.receiveText(status.utf8.count) == status)
        }
    }

    /// Otherwise the connection of a device that left the network would stay for ever.
    @Test func everySocketNoticesThatItsPeerVanished() async throws {
        try await withNamedProxy { named, listener, address in
            let client = try await Peer.connect(to: address)
            let host = try await listener.accept()
            try await host.send("x")
            #expect(await client.receiveText(1) == "x")
            let service = APIService(longestBody: 100) { _ in .init(status: 204, contentType: "", body: []) }
            // What it accepts inherits the options of a listener.
            let api = try await service.listen(at: .anyLoopbackPort, on: named.eventLoop).channel
            let values = try await named.eventLoop.submit { [registry = named.registry] in
                let connection = try #require(registry.value.entry("p").engine.connections.values.first)
                return try [connection.client?.channel, connection.host?.channel, api].map { channel in
                    try KeepAlive.options.map { try channel?.syncOptions?.getOption($0.0) }
                }
            }.get()
            #expect(values == Array(repeating: [1, 60, 15, 4], count: 3))
            try await api.close()
        }
    }

    @Test func changesTakeTurns() async throws {
        try await withProxyLink(ProxyLinkConfiguration(profile: .open, forward: nil)) { link in
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        (try? await link.named.add(
                            NamedProxyRequest(name: "one", listen: "localhost:0", upstream: "x:1"))) != nil
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(outcomes.filter { $0 }.count == 1)
            let all = try await link.named.all
            #expect(all.count == 1)
        }
    }
}
