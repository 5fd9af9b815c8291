import CLinux
import Glibc
package import SystemPackage

/// How guards are started: as children of this process, or by a program that can start them elsewhere.
package struct GuardStarter: Sendable {
    /// What a guard is started with.
    package struct Request: Sendable {
        package var program: FilePath
        /// Begins with the name that the program has for itself.
        package var arguments: [String]
        /// Lines of `NAME=value`.
        package var environment: [String]
        /// What the guard has open, and its number there; it stays the caller's.
        package var descriptors: [(descriptor: FileDescriptor, number: Int32)]
    }

    /// A guard that runs.
    package struct Started: Sendable {
        /// Its number for messages.
        package var processID: Int32
        /// Stands for it as pidfd_open(2) has it: readable when it has ended; the receiver's to close.
        package var descriptor: FileDescriptor
        /// Waits until it has ended, and leaves nothing of it behind.
        package var wait: @Sendable () async throws -> Void

        package init(
            processID: Int32, descriptor: FileDescriptor, wait: @escaping @Sendable () async throws -> Void
        ) {
            self.processID = processID
            self.descriptor = descriptor
            self.wait = wait
        }
    }

    /// Starts one; throws ``GuardError``, or what the place has to say.
    package var start: @Sendable (Request) async throws -> Started

    package init(_ start: @escaping @Sendable (Request) async throws -> Started) {
        self.start = start
    }

    /// As a child of this process.
    package static let here = GuardStarter { request in
        let processID = try child(request)
        let process = headwind_pidfd_open(processID)
        guard process >= 0 else {
            // It has not begun yet, or soon ends by itself.
            let error = Errno(rawValue: errno)
            kill(processID, SIGKILL)
            waitpid(processID, nil, 0)
            throw GuardError.noResources(
                attempted: "watch the process guard by pidfd_open(2), which needs Linux 5.3", error)
        }
        let descriptor = FileDescriptor(rawValue: process)
        return Started(processID: processID, descriptor: descriptor) {
            var status: Int32 = 0
            while unsafe waitpid(processID, &status, WNOHANG) == 0 { await Readiness().wait(for: descriptor) }
        }
    }

    private static func child(_ request: Request) throws(GuardError) -> pid_t {
        do throws(Errno) {
            return try spawn(
                request.program, arguments: request.arguments, environment: request.environment,
                descriptors: request.descriptors.map { ($0.descriptor, $0.number) })
        } catch {
            throw .noGuard(path: request.program, error)
        }
    }
}
