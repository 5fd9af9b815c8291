import Synchronization
import SystemPackage

/// What tells every process on a device that one of them has found no room.
///
/// A small file counts how often; it is overwritten in place, which a full file system allows, and watched. Others are told
/// within a fifth of a second.
final class LowSpaceNotifier: Sendable {
    private let tally: Tally
    private let watch: FileWatch?

    /// The bell of a store, or of the device that it is on; `rung` is called when others have rung it.
    ///
    /// Throws where the file cannot be opened or made.
    init(_ path: FilePath, rung: @escaping @Sendable () -> Void) throws(StoreError) {
        let tally = try Tally(path)
        self.tally = tally
        watch = FileWatch(path) { if tally.hasRung() { rung() } }
    }

    /// Tells the others.
    ///
    /// What they have rung meanwhile is heard with it: who rings says so himself.
    func ring() { tally.ring() }

    /// Hears no more.
    func close() { watch?.cancel() }
}

/// How often a bell rang.
private final class Tally: Sendable {
    private struct State: ~Copyable, Sendable {
        let count: StoreGate
        /// How often it rang, as far as this one knows.
        var heard: Int64
    }

    private let state: Mutex<State>

    init(_ path: FilePath) throws(StoreError) {
        let count = try StoreGate(path)
        let heard = count.enter()
        // The same number again: from here on the file has the room that it needs.
        count.leave(changes: heard)
        state = Mutex(State(count: count, heard: heard))
    }

    func hasRung() -> Bool {
        state.withLock { state in
            let count = state.count.enter()
            state.count.leave(changes: nil)
            defer { state.heard = count }
            return count > state.heard
        }
    }

    func ring() {
        state.withLock { state in
            state.heard = state.count.enter() + 1
            state.count.leave(changes: state.heard)
        }
    }
}
