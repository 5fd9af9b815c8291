import Synchronization
import SystemPackage

/// Notifies all processes on a device when one of them finds no room.
///
/// A small file counts the notices. It is overwritten in place, which works on a full file system, and all processes
/// watch it. They notice a change within a fifth of a second.
final class LowSpaceNotifier: Sendable {
    private let tally: Tally
    private let watch: FileWatch?

    /// Opens the notices of a store, or of the device that it is on; calls `noticed` when another process posts one.
    ///
    /// Throws if the file cannot be opened or created.
    init(_ path: FilePath, noticed: @escaping @Sendable () -> Void) throws(StoreError) {
        let tally = try Tally(path)
        self.tally = tally
        watch = FileWatch(path) { if tally.hasNew() { noticed() } }
    }

    /// Notifies the other processes.
    ///
    /// Notices that others posted in the meantime count as seen: a process that posts a notice acts on it too.
    func post() { tally.add() }

    /// Ends the watch.
    func close() { watch?.cancel() }
}

/// The number of notices so far.
private final class Tally: Sendable {
    private struct State: ~Copyable, Sendable {
        let count: StoreGate
        /// How many of them this process has seen.
        var seen: Int64
    }

    private let state: Mutex<State>

    init(_ path: FilePath) throws(StoreError) {
        let count = try StoreGate(path)
        let seen = count.enter()
        // Writes the same number again, so that the file has the disk space that it needs from here on.
        count.leave(changes: seen)
        state = Mutex(State(count: count, seen: seen))
    }

    func hasNew() -> Bool {
        state.withLock { state in
            let count = state.count.enter()
            state.count.leave(changes: nil)
            defer { state.seen = count }
            return count > state.seen
        }
    }

    func add() {
        state.withLock { state in
            state.seen = state.count.enter() + 1
            state.count.leave(changes: state.seen)
        }
    }
}
