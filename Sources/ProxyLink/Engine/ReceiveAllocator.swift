internal import NIOCore
internal import Synchronization

/// Buffers for what a socket receives, none of which stays with a socket that is silent.
///
/// NIO keeps a channel's first buffer for as long as the channel is open and, of an allocator that names the size of its
/// next buffer, those that follow. So the first one here is small, and each later one serves a single read: an idle
/// connection does not hold what it once needed at full speed.
struct ReceiveAllocator: RecvByteBufferAllocator {
    /// Bytes of the first buffer: a request's head mostly fits.
    private static let firstBytes = 512
    private let bounds: ClosedRange<Int>
    private let readLimit: ReadSizeLimit?
    private var nextBytes = firstBytes

    /// `bounds`: bytes of a buffer after the first one; where there is a `readLimit`, it is no larger than that has.
    init(bounds: ClosedRange<Int>, readLimit: ReadSizeLimit? = nil) {
        self.bounds = bounds
        self.readLimit = readLimit
    }

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        allocator.buffer(capacity: min(nextBytes, readLimit?.largestRead ?? .max))
    }

    /// A full buffer is followed by one four times its size, a mostly empty one by one of half its size.
    mutating func record(actualReadBytes: Int) -> Bool {
        if actualReadBytes >= nextBytes {
            nextBytes *= 4
        } else if actualReadBytes <= nextBytes / 4 {
            nextBytes /= 2
        }
        nextBytes = min(max(nextBytes, bounds.lowerBound), bounds.upperBound)
        // Else the last buffer would be taken again.
        return true
    }
}

/// How much one read may bring on a link that shapes nothing, where the kernel's buffers are the only ones that slow a sender down.
///
/// Bytes that a receiver's kernel does not take wait here, at most one read of each connection. So reads are smaller the more receivers do
/// not keep up: 16 of them hold 4 MiB, and 4096 some 60 MiB.
final class ReadSizeLimit: Sendable {
    private let waiting = Atomic<Int>(0)

    static let largest = 256 * 1024
    static let smallest = 8 * 1024
    private static let whole = 4 * 1024 * 1024

    /// Bytes of the next buffer at most.
    var largestRead: Int { share(atMost: Self.largest) }

    /// Bytes that may come in one go to a receiver whose kernel may not take them.
    func share(atMost most: Int) -> Int {
        let share = Self.whole / max(1, waiting.load(ordering: .relaxed))
        return min(max(share, Self.smallest), most)
    }

    /// Notes that one more receiver does not keep up, or one less.
    func note(isWaiting: Bool) { waiting.add(isWaiting ? 1 : -1, ordering: .relaxed) }
}
