import LinkModel
import NIOCore
import Testing

@testable import ProxyLink

@Suite(.timeLimit(.minutes(1)))
struct BackPressureTests {
    /// The most bytes of an upload that may be in flight at 8 Mbit/s and 20 ms.
    ///
    /// 20 kB are on the link, 75 kB in its queue, 25 kB read ahead, 50 kB in the proxy's socket, and twice 16 KiB in
    /// the client's. Three pieces are sent while this test takes one.
    private static let mostUnderWay = 256 * 1024

    @Test func anUploadIsNeverFarAheadOfItsDelivery() async throws {
        try await PeerListener.with { listener in
            try await withTestLink(.link(rate: 8_000_000, delay: .milliseconds(10)), to: listener) { link in
                let client = try await Peer.connect(to: link.reverseAddresses[0], sendBuffer: 16 * 1024)
                let host = try await listener.accept()
                let accepted = Accepted()
                let total = 3_000_000
                // Each piece is one write, whose promise completes when the kernel has taken it.
                let upload = Task {
                    for start in stride(from: 0, to: total, by: 10_000) {
                        try await client.send(pattern(10_000, from: start))
                        accepted.add(10_000)
                    }
                }
                var delivered = 0
                var widest = 0
                while delivered < total / 2 {
                    delivered += await host.receive(10_000).count
                    widest = max(widest, accepted.count - delivered)
                }
                upload.cancel()
                #expect(widest < Self.mostUnderWay, "\(widest)")
            }
        }
    }

    @Test(arguments: [Profile.open, .link(rate: 1_000_000_000)])
    func aClientThatDoesNotReadStopsTheHost(profile: Profile) async throws {
        try await PeerListener.with { listener in
            try await withTestLink(profile, to: listener) { link in
                let client = try await link.connect(reads: false)
                let host = try await listener.accept()
                let accepted = Accepted()
                let flood = Task {
                    while true {
                        try await host.send(pattern(65_536))
                        accepted.add(65_536)
                    }
                }
                // The host stops when all buffers are full, that is, when a pause brings no more bytes.
                var last = -1
                while last != accepted.count {
                    last = accepted.count
                    try await Task.sleep(for: .milliseconds(300))
                }
                // Kernels take up to 6 MiB at each of two hops, and the model's window is 6 MiB.
                #expect(last < 32 * 1024 * 1024, "\(last)")
                #expect(try await link.counters().open.count == 1)
                flood.cancel()
                client.close()
            }
        }
    }

    @Test func heldBytesNeedLittleExtraMemory() {
        var held = InFlightBytes()
        for index in 0..<10_000 {
            var buffer = ByteBuffer()
            buffer.reserveCapacity(16 * 1024)
            buffer.writeInteger(UInt8(truncatingIfNeeded: index))
            held.append(buffer)
        }
        #expect(held.capacity < 64 * 1024)
        #expect(
            held.take(10_000).flatMap { Array($0.readableBytesView) }
                == (0..<10_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(held.isEmpty)
    }

    @Test func heldBytesComeOutInOrderHoweverTheyAreTaken() {
        var held = InFlightBytes()
        var sent = 0
        var taken: [UInt8] = []
        for (write, read) in [(1, 1), (9000, 10), (3, 8000), (20_000, 900), (7, 20_094), (1, 7)] {
            held.append(ByteBuffer(bytes: pattern(write, from: sent)))
            sent += write
            taken += held.take(read).flatMap { Array($0.readableBytesView) }
        }
        #expect(taken == pattern(taken.count))
        #expect(held.count == sent - taken.count)
    }
}
