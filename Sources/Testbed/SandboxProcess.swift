import CLinux
import Glibc
import Synchronization
package import SystemPackage

/// A program that runs in a sandbox.
///
/// Valid inside the scope of the sandbox, with which it ends.
package final class SandboxProcess: Sendable {
    private struct State {
        var result: Result<SandboxExit, SandboxError>?
        var waits: [Int: CheckedContinuation<Result<SandboxExit, any Error>, Never>] = [:]
        var nextWait = 0
        var cancelled: Set<Int> = []
    }

    /// Its number inside the sandbox.
    package let processIDInside: Int32
    /// Its number for this process; 0 where /proc does not tell.
    package let processIDOutside: Int32
    /// Stands for the process; becomes readable when it has ended.
    ///
    /// See pidfd_open(2).
    package let descriptor: FileDescriptor
    private let state = Mutex(State())

    /// Takes the descriptor over.
    init(processIDInside: Int32, descriptor: FileDescriptor) {
        self.processIDInside = processIDInside
        self.descriptor = descriptor
        // See pidfd_open(2) and proc_pid_fdinfo(5).
        let lines = (SandboxReadings.text("/proc/self/fdinfo/\(descriptor.rawValue)") ?? "").split(separator: "\n")
        let number = lines.first { $0.hasPrefix("Pid:") }?.split(separator: "\t").last
        processIDOutside = number.flatMap { Int32($0) } ?? 0
    }

    deinit {
        try? descriptor.close()
    }

    /// Its number outside, by which /proc knows it; `nil` when it has ended.
    ///
    /// See proc(5), fdinfo. It may be another's by the time that it is used: to send a signal, call `signal`.
    package var processID: Int32? {
        guard
            let file = unsafe try? FileDescriptor.open(
                "/proc/self/fdinfo/\(descriptor.rawValue)", .readOnly, options: .closeOnExec)
        else { return nil }
        defer { try? file.close() }
        var bytes = [UInt8](repeating: 0, count: 1024)
        guard let count = try? unsafe bytes.withUnsafeMutableBytes({ try unsafe file.read(into: $0) }) else {
            return nil
        }
        let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
        let number = lines.first { $0.hasPrefix("Pid:\t") }.flatMap { Int32($0.dropFirst(5)) }
        return number.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Waits until the program has ended, and tells how.
    ///
    /// What it has started may still run, until the sandbox ends. Throws `SandboxError.died` where the sandbox has ended first, and
    /// `CancellationError`.
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

    /// Whether it has ended, whatever the sandbox has told.
    var hasEnded: Bool {
        var event = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&event, 1, 0) > 0
    }

    /// Sends a signal to the program, never to another process; not to what it has started.
    ///
    /// One that has ended is no error.
    package func signal(_ signal: Int32) {
        _ = headwind_pidfd_send_signal(descriptor.rawValue, signal)
    }

    /// Tells all who wait; the first result counts.
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
