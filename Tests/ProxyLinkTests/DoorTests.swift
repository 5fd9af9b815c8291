import LinkModel
import NIOCore
import NIOEmbedded
import Testing

@testable import ProxyLink

/// Connections of a named proxy through its toxics, in virtual time.
struct DoorTests {
    /// A door of a link, with one connection.
    private final class Scene {
        let link: VirtualLink
        let door: Door
        let client: EmbeddedChannel

        init(_ profile: Profile = .open, _ toxics: [Toxic] = []) throws {
            link = try VirtualLink(profile)
            door = Door(name: "p", target: Endpoint(host: "192.0.2.1", port: 80), seed: 1)
            door.toxics = toxics
            client = link.connect(.door(NIOLoopBound(door, eventLoop: link.loop)))
            link.advance(.milliseconds(1))
        }

        var host: EmbeddedChannel { link.host() }

        func set(_ toxics: [Toxic]) {
            door.toxics = toxics
            door.applyToxics()
        }
    }

    private static func toxic(_ effect: Toxic.Effect, _ direction: Direction = .downlink) -> Toxic {
        Toxic(name: "\(effect) \(direction)", direction: direction, effect: effect)
    }

    @Test func latencyHoldsInItsDirectionAlone() throws {
        let scene = try Scene(.open, [Self.toxic(.latency(latency: 100, jitter: 0))])
        defer { scene.link.stop() }
        scene.client.receive([1, 2, 3])
        #expect(scene.host.sent() == [1, 2, 3])
        scene.host.receive([4, 5])
        scene.link.advance(.milliseconds(99))
        #expect(scene.client.sent() == [])
        scene.link.advance(.milliseconds(1))
        #expect(scene.client.sent() == [4, 5])
    }

    @Test func toxicsAddToTheLink() throws {
        let scene = try Scene(.link(delay: .milliseconds(20)), [])
        defer { scene.link.stop() }
        scene.link.advance(.milliseconds(100))
        scene.set([Self.toxic(.latency(latency: 100, jitter: 0), .uplink)])
        scene.client.receive([1])
        scene.link.advance(.milliseconds(119))
        #expect(scene.host.sent() == [])
        scene.link.advance(.milliseconds(2))
        #expect(scene.host.sent() == [1])
    }

    @Test func aToxicIsAddedChangedAndRemovedWhileBytesAreUnderWay() throws {
        let scene = try Scene()
        defer { scene.link.stop() }
        scene.host.receive([1])
        #expect(scene.client.sent() == [1])
        var toxic = Self.toxic(.latency(latency: 100, jitter: 0))
        scene.set([toxic])
        scene.host.receive([2])
        scene.link.advance(.milliseconds(50))
        toxic.effect = .latency(latency: 60, jitter: 0)
        scene.set([toxic])
        #expect(scene.client.sent() == [])
        scene.link.advance(.milliseconds(10))
        #expect(scene.client.sent() == [2])
        scene.host.receive([3])
        scene.set([])
        #expect(scene.client.sent() == [3])
        scene.host.receive([4])
        #expect(scene.client.sent() == [4])
        // Bytes bypass the toxics again.
        #expect(scene.door.connections.values.allSatisfy { $0.pipes.downlink == nil })
        #expect(scene.door.sent == PerDirection(downlink: 4, uplink: 0) && scene.door.received.downlink == 4)
    }

    @Test(arguments: [Profile.open, .link(rate: 1_000_000, delay: .milliseconds(20))])
    func aClosingToxicClosesBothEndsAfterTheBytesItPassed(profile: Profile) throws {
        let scene = try Scene(profile, [Self.toxic(.limitData(bytes: 3))])
        defer { scene.link.stop() }
        scene.link.advance(.milliseconds(100))
        scene.host.receive([1, 2, 3, 4, 5])
        scene.link.advance(.milliseconds(200))
        #expect(scene.client.sent() == [1, 2, 3])
        #expect(!scene.client.isActive && !scene.host.isActive)
        #expect(scene.door.connections.isEmpty && scene.link.engine.commons.openConnections == 0)
    }

    @Test(arguments: [Profile.open, .link(rate: 1_000_000, delay: .milliseconds(20))])
    func aResetDiscardsWaitingBytesInBothDirections(profile: Profile) throws {
        let scene = try Scene(
            profile, [Self.toxic(.resetPeer(timeout: 50), .uplink), Self.toxic(.latency(latency: 1000, jitter: 0))])
        defer { scene.link.stop() }
        scene.link.advance(.milliseconds(100))
        scene.host.receive([9])
        scene.link.advance(.milliseconds(100))
        #expect(scene.client.isActive)
        scene.client.receive([1])
        scene.link.advance(.milliseconds(50))
        #expect(!scene.client.isActive && !scene.host.isActive)
        #expect(scene.client.sent() == [] && scene.host.sent() == [])
        #expect(scene.link.engine.commons.heldBytes == 0 && scene.link.engine.commons.openConnections == 0)
    }

    /// Otherwise nothing would ever show that the client has left.
    @Test(arguments: [Profile.open, .link(rate: 1_000_000, delay: .milliseconds(20))])
    func aConnectionWithDiscardedAnswersEndsWithItsClient(profile: Profile) throws {
        let scene = try Scene(profile, [Self.toxic(.timeout(timeout: 0))])
        defer { scene.link.stop() }
        scene.link.advance(.milliseconds(100))
        scene.host.receive([1])
        scene.client.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        scene.link.advance(.milliseconds(200))
        #expect(!scene.host.isActive && !scene.client.isActive)
    }

    @Test func aSlicerWritesItsPiecesSeparately() throws {
        let scene = try Scene(.open, [Self.toxic(.slicer(averageSize: 2, sizeVariation: 0, delay: 0))])
        defer { scene.link.stop() }
        scene.host.receive([1, 2, 3, 4, 5, 6])
        scene.link.advance(.milliseconds(1))
        var writes: [[UInt8]] = []
        while let buffer = try scene.client.readOutbound(as: ByteBuffer.self) {
            if buffer.readableBytes > 0 { writes.append(Array(buffer.readableBytesView)) }
        }
        #expect(writes == [[1], [2, 3], [4], [5, 6]])
    }

    /// All toxics at once, changed at random, over a shaped link: every byte arrives once and in order.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func changesAtRandomLoseNothing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scene = try Scene(seed % 2 == 0 ? .open : .link(rate: 4_000_000, delay: .milliseconds(5), loss: .zero))
        defer { scene.link.stop() }
        scene.link.advance(.milliseconds(100))
        let sent = pattern(20_000)
        var rest = sent[...]
        var arrived: [UInt8] = []
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...800, using: &random))
            scene.host.receive(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
            let effects: [Toxic.Effect] = [
                .latency(latency: .random(in: 0...50, using: &random), jitter: .random(in: 0...20, using: &random)),
                .bandwidth(rate: .random(in: 0...200, using: &random)),
                .slicer(averageSize: .random(in: 1...50, using: &random), sizeVariation: 10, delay: 100),
                .slowClose(delay: 10), .limitData(bytes: 1_000_000), .packetLoss(lossRate: 0, correlation: 1),
            ]
            let chosen = effects.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
            if Int.random(in: 0..<3, using: &random) == 0 {
                scene.set(
                    chosen.map { effect in
                        Toxic(name: "\("\(effect)".prefix { $0 != "(" })", direction: .downlink, effect: effect)
                    })
            }
            scene.link.advance(.milliseconds(Int64.random(in: 0...30, using: &random)))
            arrived += scene.client.sent()
        }
        scene.set([])
        scene.link.advance(.seconds(5))
        arrived += scene.client.sent()
        #expect(arrived == sent)
    }
}
