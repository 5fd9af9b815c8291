internal import NIOCore
internal import Synchronization

/// Allocates receive buffers so that an idle socket keeps no large one.
///
/// NIO keeps a channel's first buffer for as long as the channel is open. From an allocator that names the size of its
/// next buffer, it keeps later ones too. So the first one here is small, and each later one serves a single read: an
/// idle connection does not hold what it once needed at full speed.
struct ReceiveAllocator: RecvByteBufferAllocator {
    /// Bytes of the first buffer; most heads of requests fit.
    private static let firstBytes = 512
    private let bounds: ClosedRange<Int>
    private let readLimit: ReadSizeLimit?
    private var nextBytes = firstBytes

    /// `bounds`: bytes of each buffer after the first one; `readLimit`: a further limit on all buffers, nil for none.
    init(bounds: ClosedRange<Int>, readLimit: ReadSizeLimit? = nil) {
        self.bounds = bounds
        self.readLimit = readLimit
    }

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        allocator.buffer(capacity: min(nextBytes, readLimit?.largestRead ?? .max))
    }

    /// Makes the next buffer four times as large after a full one, and half as large after one at most a quarter full.
    mutating func record(actualReadBytes: Int) -> Bool {
        if actualReadBytes >= nextBytes {
            nextBytes *= 4
        } else if actualReadBytes <= nextBytes / 4 {
            nextBytes /= 2
        }
        nextBytes = min(max(nextBytes, bounds.lowerBound), bounds.upperBound)
        // With false, NIO would use the last buffer again.
        return true
    }
}

/// The limit on one read of an unshaped link, where only the kernel's buffers slow a sender down.
///
/// Bytes that a receiver's kernel does not take wait in this process, at most one read of each connection. So reads are
/// smaller if more receivers do not keep up: 16 of them hold 4 MiB, and 4096 hold some 60 MiB. At a sender's FIN, NIO
/// reads the rest without a request: up to the kernel's receive buffer.
final class ReadSizeLimit: Sendable {
    private let waiting = Atomic<Int>(0)

    static let largest = 256 * 1024
    static let smallest = 8 * 1024
    private static let whole = 4 * 1024 * 1024

    /// The most bytes of the next buffer: 8 KiB to 256 KiB.
    var largestRead: Int { share(atMost: Self.largest) }

    /// The bytes to read at once for a receiver whose kernel may not take them: 8 KiB or more, but at most `most`.
    func share(atMost most: Int) -> Int {
        let share = Self.whole / max(1, waiting.load(ordering: .relaxed))
        return min(max(share, Self.smallest), most)
    }

    /// Counts one more receiver that does not keep up, or one less.
    func note(isWaiting: Bool) { waiting.add(isWaiting ? 1 : -1, ordering: .relaxed) }
}
