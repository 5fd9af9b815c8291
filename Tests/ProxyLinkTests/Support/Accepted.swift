import Synchronization

/// Bytes that a kernel has taken, counted across tasks.
final class Accepted: Sendable {
    private let total = Atomic<Int>(0)

    var count: Int { total.load(ordering: .relaxed) }

    func add(_ bytes: Int) { total.add(bytes, ordering: .relaxed) }
}
