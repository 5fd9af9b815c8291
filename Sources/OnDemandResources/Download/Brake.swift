import Synchronization

/// Holds one download back, from any thread, as long as somebody else's is more urgent.
///
/// A transfer that is held keeps its connection and reads nothing: the host's bytes wait where they are, and none is
/// asked for twice afterwards. Its patience does not run.
final class Brake: Sendable {
    private let isSet = Atomic(false)

    /// Whether the download is held back now.
    var isOn: Bool { isSet.load(ordering: .relaxed) }

    /// Holds back or lets go; the loop must be woken to notice.
    func set(_ isOn: Bool) { isSet.store(isOn, ordering: .relaxed) }
}
