internal import Synchronization

/// How much one read may bring on a link that shapes nothing, where the kernel's buffers are the only ones that slow a sender down.
///
/// Bytes that a receiver's kernel does not take wait here, at most one read of each connection. So reads are smaller the more receivers do
/// not keep up: 16 of them hold 4 MiB, and 4096 some 60 MiB.
final class ReadRoom: Sendable {
    private let waiting = Atomic<Int>(0)

    static let largest = 256 * 1024
    static let smallest = 8 * 1024
    private static let whole = 4 * 1024 * 1024

    /// Bytes of the next buffer at most.
    var largestRead: Int {
        let share = Self.whole / max(1, waiting.load(ordering: .relaxed))
        return min(max(share, Self.smallest), Self.largest)
    }

    /// Notes that one more receiver does not keep up, or one less.
    func note(isWaiting: Bool) { waiting.add(isWaiting ? 1 : -1, ordering: .relaxed) }
}
