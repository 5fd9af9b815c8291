import Synchronization
import SystemPackage

/// What tells every process on a device that one of them has found no room.
///
/// A small file counts how often; it is overwritten in place, which a full file system allows, and watched. Others are told
/// within a fifth of a second.
final class LowSpaceNotifier: Sendable {
    private let tally: Tally
    private let watch: FileWatch?

    /// Notices of a store, or of the device that it is on; `noticed` is called when others have posted one.
    ///
    /// Throws where the file cannot be opened or made.
    init(_ path: FilePath, noticed: @escaping @Sendable () -> Void) throws(StoreError) {
        let tally = try Tally(path)
        self.tally = tally
        watch = FileWatch(path) { if tally.hasNew() { noticed() } }
    }

    /// Tells the others.
    ///
    /// Notices of others that came meanwhile count as seen: the one that posts it acts on it too.
    func post() { tally.add() }

    /// Ends the watch.
    func close() { watch?.cancel() }
}

/// How many notices there were.
private final class Tally: Sendable {
    private struct State: ~Copyable, Sendable {
        let count: StoreGate
        /// How many of them were seen here.
        var seen: Int64
    }

    private let state: Mutex<State>

    init(_ path: FilePath) throws(StoreError) {
        let count = try StoreGate(path)
        let seen = count.enter()
        // The same number again: from here on the file has the room that it needs.
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
