import LinkModel
import NIOCore
import Testing

@testable import ProxyLink

/// Toxics of named proxies with real sockets.
@Suite(.timeLimit(.minutes(1)))
struct NamedProxyToxicTests {
    @Test func resetPeerIsRSTAtBothEnds() async throws {
        try await withNamedProxy { named, listener, address in
            let client = try await Peer.connect(to: address)
            let host = try await listener.accept()
            // Also on a connection that is already open.
            try await named.add(Toxic(.resetPeer(timeout: 10), .uplink), to: "p")
            try await client.send("x")
            #expect(await client.receiveAll().ending == .reset)
            let ended = await host.receiveAll()
            #expect(ended.ending == .reset && ended.bytes.isEmpty)
        }
    }

    @Test func limitDataClosesBothEndsAfterItsBytes() async throws {
        try await withNamedProxy { named, listener, address in
            try await named.add(Toxic(.limitData(bytes: 100_000)), to: "p")
            let client = try await Peer.connect(to: address)
            let host = try await listener.accept()
            async let sent: Void? = try? host.send(pattern(300_000))
            let all = await client.receiveAll()
            #expect(all.bytes == pattern(100_000))
            #expect(await host.receiveAll().ending != nil)
            _ = await sent
        }
    }

    /// A client that ends its request and waits still gets its answer, where Toxiproxy would close the connection.
    @Test func theEndOfOneDirectionLeavesTheOtherOpen() async throws {
        try await withNamedProxy { named, listener, address in
            try await named.add(Toxic(.slowClose(delay: 20), .uplink), to: "p")
            let client = try await Peer.connect(to: address)
            let host = try await listener.accept()
            try await client.send("question")
            try await client.finish()
            #expect(await host.receiveAllText() == "question")
            try await host.send("answer")
            #expect(await client.receiveText(6) == "answer")
            try await host.finish()
            #expect(await client.receiveAll().ending == .end)
        }
    }

    @Test func aTimeoutClosesAndDiscards() async throws {
        try await withNamedProxy { named, listener, address in
            try await named.add(Toxic(.timeout(timeout: 50)), to: "p")
            let client = try await Peer.connect(to: address)
            let host = try await listener.accept()
            try await host.send("lost")
            let all = await client.receiveAll()
            #expect(all.bytes.isEmpty && all.ending == .end)
            #expect(await host.receiveAll().ending != nil)
        }
    }

    /// A refused change leaves the toxics as they are, with the bytes that they hold.
    @Test func aRefusedChangeChangesNothing() async throws {
        try await withNamedProxy { named, listener, address in
            let toxics = [Toxic(.timeout(timeout: 0)), Toxic(.bandwidth(rate: 0), .uplink)].enumerated().map {
                Toxic(name: "t\($0.offset)", direction: $0.element.direction, effect: $0.element.effect)
            }
            for toxic in toxics { try await named.add(toxic, to: "p") }
            let client = try await Peer.connect(to: address)
            let host = try await listener.accept()
            try await client.send("held")
            try await host.send("lost")
            func profile(_ name: String) -> Toxic {
                Toxic(name: name, direction: .uplink, effect: .profile(.open, isNamed: true))
            }
            let many = (0...64).map { Toxic(name: "m\($0)", direction: .uplink, effect: .slowClose(delay: 1)) }
            let long = Toxic(name: String(repeating: "n", count: 513), direction: .uplink, effect: .slowClose(delay: 1))
            for (upstream, listen, toxics) in [
                ("\(listener.endpoint)", nil, many), ("\(listener.endpoint)", nil, toxics + [long]),
                ("\(listener.endpoint)", nil, [profile("a"), profile("b")]),
                ("\(listener.endpoint)", nil, toxics + toxics), ("localhost:x", nil, []),
                ("\(listener.endpoint)", "localhost", []),
            ] as [(String, String?, [Toxic])] {
                let request = NamedProxyRequest(name: "p", listen: "", upstream: upstream, toxics: toxics)
                await #expect(throws: NamedProxyError.self) {
                    try await named.put(request, listen: listen, isEnabled: true)
                }
            }
            let proxy = try await named.proxy("p")
            #expect(Set(proxy.toxics) == Set(toxics) && proxy.openConnections == 1 && proxy.sent.uplink == 0)
            client.close()
        }
    }

    /// Megabytes through a rate, a latency and slices, which are removed meanwhile.
    @Test func heldBytesContinueWhenToxicsAreRemoved() async throws {
        try await withNamedProxy { named, listener, address in
            let client = try await Peer.connect(to: address)
            let host = try await listener.accept()
            let bytes = pattern(2_000_000)
            async let sent: Void = host.send(bytes)
            for (turn, effect) in [
                Toxic.Effect.bandwidth(rate: 0), .latency(latency: 5, jitter: 5),
                .slicer(averageSize: 1000, sizeVariation: 300, delay: 10), .bandwidth(rate: 50_000),
            ].enumerated() {
                let toxic = Toxic(name: "t\(turn)", direction: .downlink, effect: effect)
                try await named.add(toxic, to: "p")
                _ = try await named.updateToxic("t\(turn)", of: "p") { before in
                    var after = before
                    if case .bandwidth = before.effect { after.effect = .bandwidth(rate: 10_000) }
                    return after
                }
            }
            for turn in 0..<4 { try await named.removeToxic("t\(turn)", of: "p") }
            #expect(await client.receive(bytes.count) == bytes)
            try await sent
            #expect(try await named.proxy("p").sent.downlink == 2_000_000)
        }
    }

    /// Connections that come and go while toxics change leave nothing behind.
    @Test func nothingIsLeftOfManyConnections() async throws {
        try await withNamedProxy { named, listener, address in
            let server = Task {
                for await peer in listener.peers {
                    Task {
                        _ = await peer.receive(1)
                        try? await peer.send("answer")
                        try? await peer.finish()
                        _ = await peer.receiveAll()
                        peer.close()
                    }
                }
            }
            defer { server.cancel() }
            let before = try Process.openDescriptors()
            var answered = 0
            for turn in 0..<40 {
                let effects: [Toxic.Effect] = [
                    .latency(latency: 1, jitter: 1), .slicer(averageSize: 2, sizeVariation: 1, delay: 10),
                    .limitData(bytes: 3), .resetPeer(timeout: 0), .timeout(timeout: 1), .bandwidth(rate: 100),
                    .slowClose(delay: 1), .packetLoss(lossRate: 0.5, correlation: 0),
                ]
                let toxic = Toxic(effects[turn % effects.count], turn % 3 == 0 ? .uplink : .downlink)
                try await named.add(toxic, to: "p")
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<10 {
                        group.addTask {
                            guard let client = try? await Peer.connect(to: address) else { return }
                            _ = try? await client.send("x")
                            try? await client.finish()
                            _ = await client.receive(1)
                            client.close()
                        }
                    }
                    if turn % 2 == 0 { try? await named.removeToxic("t", of: "p") }
                }
                if turn % 2 == 1 { try await named.removeToxic("t", of: "p") }
                answered += 1
            }
            #expect(answered == 40)
            try await named.remove("p")
            #expect(try await named.all.isEmpty)
            let held = try await named.eventLoop.submit { [registry = named.registry] in
                (registry.value.commons.openConnections, registry.value.commons.heldBytes)
            }.get()
            #expect(held == (0, 0))
            while try Process.openDescriptors() > before + 4 { await Task.yield() }
        }
    }
}
