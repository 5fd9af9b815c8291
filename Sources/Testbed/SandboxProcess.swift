import CLinux
import Glibc
import LinuxSupport
import Synchronization
package import SystemPackage

/// A program that runs in a sandbox.
///
/// It ends with the sandbox, and is valid inside the sandbox's scope.
package final class SandboxProcess: Sendable {
    private struct State {
        var result: Result<SandboxExit, SandboxError>?
        var waits: [Int: CheckedContinuation<Result<SandboxExit, any Error>, Never>] = [:]
        var nextWait = 0
        var cancelled: Set<Int> = []
    }

    /// Its process identifier inside the sandbox.
    package let processIDInside: Int32
    /// Its process identifier for this process; 0 if /proc does not show it.
    package let processIDOutside: Int32
    /// The process's descriptor, which becomes readable when the process has ended.
    ///
    /// See pidfd_open(2).
    package let descriptor: FileDescriptor
    private let state = Mutex(State())

    /// Takes ownership of `descriptor`.
    init(processIDInside: Int32, descriptor: FileDescriptor) {
        self.processIDInside = processIDInside
        self.descriptor = descriptor
        processIDOutside = SandboxProcess.processID(of: descriptor) ?? 0
    }

    deinit {
        try? descriptor.close()
    }

    /// Its process identifier outside, as in /proc; `nil` when it has ended.
    ///
    /// See proc(5), fdinfo. Another process may have the identifier by the time you use it: to send a signal, call
    /// `signal`.
    package var processID: Int32? {
        Self.processID(of: descriptor).flatMap { $0 > 0 ? $0 : nil }
    }

    /// The number that /proc shows for a process's descriptor; it is not positive if the process is gone.
    ///
    /// See pidfd_open(2) and proc_pid_fdinfo(5).
    private static func processID(of descriptor: FileDescriptor) -> Int32? {
        let text = BoundedFile.text(FilePath("/proc/self/fdinfo/\(descriptor.rawValue)")) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("Pid:\t") }
        return line.flatMap { Int32($0.dropFirst(5)) }
    }

    /// Waits until the program has ended, and returns how.
    ///
    /// Programs that it started may still run, until the sandbox ends. Throws `SandboxError.died` if the sandbox ends
    /// first, and `CancellationError`.
    package func wait() async throws -> SandboxExit {
        let number = state.withLock { state in
            state.nextWait += 1
            return state.nextWait
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known: Result<SandboxExit, any Error>? = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if let result = state.result { return result.mapError { $0 } }
                    state.waits[number] = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.waits.removeValue(forKey: number)
                if continuation == nil { state.cancelled.insert(number) }
                return continuation
            }
            continuation?.resume(returning: .failure(CancellationError()))
        }
        state.withLock { _ = $0.cancelled.remove(number) }
        return try result.get()
    }

    /// Whether it has ended, even if the sandbox has not reported that.
    var hasEnded: Bool {
        var event = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, 0) > 0
    }

    /// Sends a signal to the program only: never to another process, nor to programs that it started.
    ///
    /// It is no error if the program has ended.
    package func signal(_ signal: Int32) {
        _ = headwind_pidfd_send_signal(descriptor.rawValue, signal)
    }

    /// Resumes all waiting tasks with the result; the first result counts.
    func end(_ result: Result<SandboxExit, SandboxError>) {
        let waits = state.withLock { state in
            guard state.result == nil else {
                return [Int: CheckedContinuation<Result<SandboxExit, any Error>, Never>]()
            }
            state.result = result
            defer { state.waits = [:] }
            return state.waits
        }
        for wait in waits.values { wait.resume(returning: result.mapError { $0 }) }
    }
}
