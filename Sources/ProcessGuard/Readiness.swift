import CLinux
import Glibc
import Synchronization
import SystemPackage

/// One wait until a descriptor can be read or its other end is closed.
///
/// It takes no thread of the cooperative pool.
final class Readiness: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Void, Never>)
        case over
    }

    private let state = Mutex(State.idle)

    /// Waits, until `end()` at the latest, or the cancellation of the task.
    ///
    /// It may also return early, so that the caller looks again. The descriptor may be closed meanwhile.
    func wait(for original: FileDescriptor) async {
        // A duplicate, because one descriptor can be watched only once, and the original has another owner.
        if let descriptor = try? original.duplicatedAboveStandard() {
            defer { try? descriptor.close() }
            if await wait(forDuplicate: descriptor) { return }
        }
        // The harness has used up its descriptors, which must not leave anything unattended.
        try? await Task.sleep(for: .milliseconds(10))
    }

    /// Answers false where the descriptor cannot be watched.
    private func wait(forDuplicate descriptor: FileDescriptor) async -> Bool {
        let identifier = ReadinessThread.shared.add(self)
        defer { ReadinessThread.shared.remove(identifier, descriptor) }
        var isWatched = true
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(continuation)
                isWatched = ReadinessThread.shared.watch(descriptor, identifier)
                if !isWatched { end() }
            }
        } onCancel: {
            end()
        }
        return isWatched
    }

    /// Ends the wait, whether it has begun or not.
    func end() {
        let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
            defer { state = .over }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
        continuation?.resume()
    }

    private func begin(_ continuation: CheckedContinuation<Void, Never>) {
        let isOver = state.withLock { state in
            if case .over = state { return true }
            state = .waiting(continuation)
            return false
        }
        if isOver { continuation.resume() }
    }
}
