import LinkModel
import NIOCore
import NIOEmbedded
import Testing

@testable import ProxyLink

@Suite(.timeLimit(.minutes(1)))
struct OfflineTests {
    @Test(arguments: [
        (
            OfflineKind.noRoute,
            "HTTP/1.1 502 Bad Gateway\r\nProxy-Status: headwind; error=destination_ip_unroutable\r\n"
        ),
        (.refused, "HTTP/1.1 502 Bad Gateway\r\nProxy-Status: headwind; error=connection_refused\r\n"),
        (.noName, "HTTP/1.1 502 Bad Gateway\r\nProxy-Status: headwind; error=dns_error\r\n"),
    ])
    func aTunnelIsRefusedWithItsReason(kind: OfflineKind, answer: String) async throws {
        try await withProxyLink(
            ProxyLinkConfiguration(
                profile: Profile(name: "off", conditions: .offline(kind)), routes: RouteTable(policy: .direct))
        ) { link in
            let client = try await link.connectToProxy()
            try await client.send("CONNECT packs.test:443 HTTP/1.1\r\n\r\n")
            #expect(await client.receiveAllText().hasPrefix(answer))
        }
    }

    @Test func anAddressNeedsNoName() async throws {
        try await PeerListener.with { listener in
            try await withTestLink(Profile(name: "off", conditions: .offline(.noName)), to: listener) { link in
                let client = try await link.connectToProxy()
                try await client.send("CONNECT \(listener.endpoint) HTTP/1.1\r\n\r\n")
                #expect(await client.receiveText(12) == "HTTP/1.1 200")
            }
        }
    }

    @Test(arguments: [OfflineKind.noRoute, .refused])
    func aReverseListenerResets(kind: OfflineKind) async throws {
        try await PeerListener.with { listener in
            try await withTestLink(Profile(name: "off", conditions: .offline(kind)), to: listener) { link in
                if let client = try? await link.connect() { #expect(await client.receiveAll().ending == .reset) }
                let refusal = await link.event { if case .refused(let why) = $0.kind { why } else { nil } }
                #expect(refusal == Refusal.modelled(kind == .noRoute ? .noRoute : .refused).details)
            }
        }
    }

    @Test func aSilentLinkWaitsUntilTheClientGivesUp() async throws {
        try await withProxyLink(
            ProxyLinkConfiguration(
                profile: Profile(name: "off", conditions: .offline(.silent)), routes: RouteTable(policy: .direct))
        ) { link in
            let client = try await link.connectToProxy()
            try await client.send("CONNECT packs.test:443 HTTP/1.1\r\n\r\n")
            _ = await link.event { if case .opened = $0.kind { true } else { nil } }
            client.close()
            let cause = await link.event { event in
                switch event.kind {
                case .closed(0, 0, let cause): cause
                case .connected, .refused: CloseCause.refused
                default: nil
                }
            }
            #expect(cause == .gaveUp)
            #expect(try await link.counters().open == [])
        }
    }

    @Test func silenceTakesItsTimeAndThenTimesOut() throws {
        let link = try VirtualLink(Profile(name: "off", conditions: .offline(.silent)))
        defer { link.stop() }
        let client = link.connect(.forward)
        client.receive(Array("CONNECT 192.0.2.1:443 HTTP/1.1\r\n\r\n".utf8))
        link.advance(.seconds(60))
        #expect(client.sent() == [])
        link.advance(.seconds(3600))
        #expect(
            String(decoding: client.sent(), as: UTF8.self).contains(
                "504 Gateway Timeout\r\nProxy-Status: headwind; error=connection_timeout\r\n"))
    }

    @Test func openConnectionsAreResetWhereTheLinkRefuses() async throws {
        try await PeerListener.with { listener in
            try await withTestLink(to: listener) { link in
                let client = try await link.connect()
                let host = try await listener.accept()
                try await client.send("x")
                _ = await host.receive(1)
                try await link.set(.offline(.refused))
                #expect(await client.receiveAll().ending == .reset)
                #expect(await host.receiveAll().ending == .reset)
                let cause = await link.event { if case .closed(_, _, let cause) = $0.kind { cause } else { nil } }
                #expect(cause == .linkReset)
            }
        }
    }

    @Test(arguments: [true, false])
    func aConnectionThatEndsWhileItsTargetIsDialledLeavesNothing(linkRefuses: Bool) throws {
        let link = try VirtualLink(.link(delay: .milliseconds(10)), dialTime: .milliseconds(100))
        defer { link.stop() }
        let client = link.connect(.forward)
        client.receive(Array("CONNECT 192.0.2.1:443 HTTP/1.1\r\n\r\n".utf8))
        link.advance(.milliseconds(50))
        #expect(link.hostCount == 1)
        if linkRefuses { _ = link.engine.take(.conditions(.offline(.refused))) } else { client.close(promise: nil) }
        link.advance(.seconds(5))
        #expect(client.sent().isEmpty == !linkRefuses)
        #expect(link.host().isActive == false)
        #expect(link.engine.connections.isEmpty)
    }

    @Test func aLookupCostsOnceForEachName() throws {
        var conditions = LinkConditions.link(delay: .milliseconds(10))
        conditions.dnsDelay = .milliseconds(100)
        let link = try VirtualLink(Profile(name: "dns", conditions: conditions))
        defer { link.stop() }
        for (target, time) in [("a.test:443", 140), ("a.test:443", 20), ("192.0.2.1:443", 20), ("b.test:443", 140)] {
            let start = link.now
            let count = link.hostCount
            link.connect(.forward).receive(Array("CONNECT \(target) HTTP/1.1\r\n\r\n".utf8))
            let end = try #require(link.advance(upTo: .seconds(2), by: .milliseconds(1)) { link.hostCount > count })
            #expect(end - start == .milliseconds(time), "\(target)")
        }
    }
}
