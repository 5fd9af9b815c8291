import CLinux
import Glibc
package import SystemPackage

/// How guards are started: as children of this process, or by a program that can start them elsewhere.
package struct GuardStarter: Sendable {
    /// The parameters of a guard to start.
    package struct Request: Sendable {
        package var program: FilePath
        /// The arguments, which begin with the program's name.
        package var arguments: [String]
        /// All variables of the guard.
        package var environment: [String: String]
        /// The guard's open descriptors, with their numbers there, which may be the same as here.
        ///
        /// The caller still owns its own copies.
        package var descriptors: [(descriptor: FileDescriptor, number: Int32)]
    }

    /// A running guard.
    package struct Started: Sendable {
        /// Its process identifier, for messages.
        package var processID: Int32
        /// Its process descriptor (pidfd_open(2)), which becomes readable when it has ended; the receiver closes it.
        package var descriptor: FileDescriptor
        /// Waits until it has ended, and collects its status.
        package var wait: @Sendable () async throws -> Void

        package init(
            processID: Int32, descriptor: FileDescriptor, wait: @escaping @Sendable () async throws -> Void
        ) {
            self.processID = processID
            self.descriptor = descriptor
            self.wait = wait
        }
    }

    /// Starts a guard; throws ``GuardError``, or an error of the program that starts it.
    package var start: @Sendable (Request) async throws -> Started

    package init(_ start: @escaping @Sendable (Request) async throws -> Started) {
        self.start = start
    }

    /// Starts guards as children of this process.
    package static let here = GuardStarter { request in
        let processID = try child(request)
        let process = headwind_pidfd_open(processID)
        guard process >= 0 else {
            // The guard has not begun yet, or soon ends by itself.
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
        do throws(Errno) { return try spawn(request) } catch { throw .noGuard(path: request.program, error) }
    }
}
