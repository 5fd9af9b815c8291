import CLinux
import Glibc
import LinuxSupport
package import SystemPackage

/// A program that runs in a sandbox.
///
/// It ends with the sandbox, and is valid inside the sandbox's scope.
package final class SandboxProcess: Sendable {
    /// Its process identifier inside the sandbox.
    package let processIDInside: Int32
    /// Its process identifier for this process; 0 if /proc does not show it.
    package let processIDOutside: Int32
    /// The process's descriptor, which becomes readable when the process has ended.
    ///
    /// See pidfd_open(2).
    package let descriptor: FileDescriptor
    /// Opens when it has ended, or its sandbox has.
    let ended = Latch<Result<SandboxExit, SandboxError>>()

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
        guard let result = await ended.valueUnlessCancelled else { throw CancellationError() }
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
}

/// How a program in a sandbox has ended.
package struct SandboxExit: Sendable, Equatable {
    package enum Status: Sendable, Equatable {
        case exited(Int32)
        case signaled(Int32)

        /// Reads a status of waitpid(2).
        init(waitStatus: Int32) {
            let signal = waitStatus & 0x7f
            self = signal == 0 ? .exited(waitStatus >> 8 & 0xff) : .signaled(signal)
        }
    }

    package let status: Status
    /// When the sandbox collected its status, in nanoseconds of CLOCK_MONOTONIC.
    package let endedNanoseconds: Int64
}
