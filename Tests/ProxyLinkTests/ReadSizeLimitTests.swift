import LinkModel
import NIOCore
import NIOEmbedded
import Testing

@testable import ProxyLink

/// The memory that a link keeps, whatever passes through it.
struct ReadSizeLimitTests {
    /// Each receiver that falls behind holds one read.
    @Test func readsShrinkAsMoreReceiversFallBehind() throws {
        let link = try VirtualLink(.open)
        defer { link.stop() }
        let clients = (0..<400).map { _ in link.connect() }
        #expect(link.engine.readLimit.largestRead == 256 * 1024)
        var held = 0
        for client in clients {
            client.isWritable = false
            client.pipeline.fireChannelWritabilityChanged()
            held += link.engine.readLimit.largestRead
        }
        #expect(held < 20 << 20)
        #expect(link.engine.readLimit.largestRead == 4 * 1024 * 1024 / 400)
        for client in clients.prefix(380) { client.close(promise: nil) }
        for client in clients.suffix(20).prefix(10) {
            client.isWritable = true
            client.pipeline.fireChannelWritabilityChanged()
        }
        #expect(link.engine.readLimit.largestRead == 256 * 1024)
    }

    @Test func aReadIsNoLargerThanTheRoom() {
        let readLimit = ReadSizeLimit()
        var allocator = ReceiveAllocator(bounds: 2048...ReadSizeLimit.largest, readLimit: readLimit)
        for _ in 0..<8 {
            let buffer = allocator.buffer(allocator: ByteBufferAllocator())
            _ = allocator.record(actualReadBytes: buffer.capacity)
        }
        #expect(allocator.buffer(allocator: ByteBufferAllocator()).capacity == 256 * 1024)
        var held = 0
        for waiting in 1...4096 {
            readLimit.note(isWaiting: true)
            held += readLimit.largestRead
            guard waiting == 64 else { continue }
            #expect(allocator.buffer(allocator: ByteBufferAllocator()).capacity == 64 * 1024)
        }
        #expect(held < 64 << 20)
    }

    /// A standing link, whose record nothing asks for, keeps no decisions, however long it runs.
    @Test func aStandingLinkKeepsNoDecisions() throws {
        let half = Profile.link(rate: 10_000_000, loss: try Ratio(parsing: "10 %"))
        for (limits, isKept) in [(ProxyLimits(), true), (.standing, false)] {
            let link = try VirtualLink(half, limits: limits)
            defer { link.stop() }
            _ = link.connect()
            link.advance(.seconds(60))
            for _ in 0..<50 {
                link.host().receive(pattern(14_600))
                link.advance(.milliseconds(100))
            }
            #expect(link.engine.record.decisions.isEmpty != isKept)
            #expect((link.engine.record.omitted > 20) != isKept)
        }
    }
}
