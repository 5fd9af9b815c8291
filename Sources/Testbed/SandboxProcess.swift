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
        var waits: [AsyncStream<Result<SandboxExit, SandboxError>>.Continuation] = []
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
        let text = BoundedFile.text(FilePath("/proc/self/fdinfo/\(descriptor.rawValue)"))
        return BoundedFile.field("Pid:", in: text).flatMap { Int32($0) }
    }

    /// Waits until the program has ended, and returns how.
    ///
    /// Programs that it started may still run, until the sandbox ends. Throws `SandboxError.died` if the sandbox ends
    /// first, and `CancellationError`.
    package func wait() async throws -> SandboxExit {
        try Task.checkCancellation()
        let results = AsyncStream { continuation in
            let known = state.withLock { state in
                if state.result == nil { state.waits.append(continuation) }
                return state.result
            }
            if let known { continuation.yield(known) }
        }
        for await result in results { return try result.get() }
        // The stream ends without a result only if the task is cancelled.
        throw CancellationError()
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
        let waits: [AsyncStream<Result<SandboxExit, SandboxError>>.Continuation] = state.withLock { state in
            guard state.result == nil else { return [] }
            state.result = result
            defer { state.waits = [] }
            return state.waits
        }
        for wait in waits { wait.yield(result) }
    }
}
