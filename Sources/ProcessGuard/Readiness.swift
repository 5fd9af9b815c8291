import CLinux
import Glibc
import LinuxSupport
import Synchronization
import SystemPackage

/// One wait until a descriptor is readable, or its other end is closed.
///
/// It takes no thread of the cooperative pool.
final class Readiness: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Void, Never>)
        case over
    }

    private let state = Mutex(State.idle)

    /// Waits until `end()` at the latest, or until the task is cancelled.
    ///
    /// It may also return early, so the caller must check again. The descriptor may be closed meanwhile.
    func wait(for original: FileDescriptor) async {
        // Watch a duplicate: epoll(7) watches a descriptor only once, and the original has another owner.
        if let descriptor = try? original.duplicatedAboveStandard() {
            defer { try? descriptor.close() }
            if await wait(forDuplicate: descriptor) { return }
        }
        // The harness has no descriptors left. It polls instead, so that it still serves everything.
        try? await Task.sleep(for: .milliseconds(10))
    }

    /// Waits for a duplicate of the descriptor; false if it cannot be watched.
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
