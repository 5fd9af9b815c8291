import Dispatch
import Synchronization
import SystemPackage

/// Notifies all processes on a device when one of them finds no room.
///
/// A small file counts the notices. It is overwritten in place, which works on a full file system.
///
/// Each process looks at the file every 150 ms, and does not use inotify(7). A process that has an inotify watch can end
/// only after the kernel has cleaned up the watches of all others. That takes up to half a minute on a busy machine.
final class LowSpaceNotifier: @unchecked Sendable {
    private struct State: ~Copyable, Sendable {
        /// The number of notices so far.
        let count: StoreGate
        /// How many of them this process has seen.
        var seen: Int64
    }

    // Unchecked, because Dispatch does not declare that its sources may be cancelled on any thread. This one is used
    // for nothing else.
    private let timer: any DispatchSourceTimer
    private let state: Mutex<State>

    /// Opens the notices of a store, or of the device that it is on; calls `noticed` when another process posts one.
    ///
    /// Throws if the file cannot be opened or created.
    init(_ path: FilePath, noticed: @escaping @Sendable () -> Void) throws(StoreError) {
        let count = try StoreGate(path)
        let seen = count.enter()
        // Writes the same number again, so that the file has the disk space that it needs from here on.
        count.leave(changes: seen)
        state = Mutex(State(count: count, seen: seen))
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "headwind.low-space"))
        timer.schedule(deadline: .now() + Self.period, repeating: Self.period, leeway: .milliseconds(50))
        timer.setEventHandler { [weak self] in if self?.hasNew() == true { noticed() } }
        timer.resume()
    }

    deinit { close() }

    private static let period = DispatchTimeInterval.milliseconds(150)

    /// Notifies the other processes.
    ///
    /// Notices that others posted in the meantime count as seen: a process that posts a notice acts on it too.
    func post() {
        state.withLock { state in
            state.seen = state.count.enter() + 1
            state.count.leave(changes: state.seen)
        }
    }

    /// Ends the watch: no further calls.
    func close() { timer.cancel() }

    private func hasNew() -> Bool {
        state.withLock { state in
            // Without the lock of the file, because a process may be stopped while it holds that.
            let count = state.count.changes
            defer { state.seen = count }
            return count > state.seen
        }
    }
}
