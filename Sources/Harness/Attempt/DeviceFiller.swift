import Synchronization
import SystemPackage
import Testbed

/// Takes all room that is left on a client's device when a fault says so, until the end of the attempt.
final class DeviceFiller: Sendable {
    private struct State {
        /// The files that keep the room.
        var files: [FileDescriptor] = []
        var error: Errno?
        var isClosed = false
    }

    private let storage: SandboxDirectory?
    private let state = Mutex(State())

    /// `storage` is the device's file system; nil if it has none of its own, so that nothing can fill it.
    init(_ storage: SandboxDirectory?) { self.storage = storage }

    /// Fills the device, or does nothing after ``close()``.
    ///
    /// ``verify()`` reports an error.
    func fill() {
        state.withLock { state in
            guard !state.isClosed else { return }
            do throws(Errno) {
                guard let storage else { throw .notSupported }
                state.files.append(try storage.fill())
            } catch { state.error = error }
        }
    }

    /// Throws if the device could not be filled.
    func verify() throws(HarnessError) {
        if let error = state.withLock({ $0.error }) { throw .deviceNotFilled(error) }
    }

    /// Frees the room, for good.
    func close() {
        state.withLock { state in
            for file in state.files { try? file.close() }
            (state.files, state.isClosed) = ([], true)
        }
    }
}
