import Dispatch
import Execution
import Glibc
import SystemPackage

/// A program that a test has started, and that inherits the test's streams.
struct ShellProcess {
    let processID: pid_t

    static func start(_ command: [String], environment: [String: String]) throws -> ShellProcess {
        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        posix_spawnattr_setsigmask(&attributes, &unblocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var processID = pid_t()
        let error = posix_spawnp(&processID, command[0], nil, &attributes, arguments, variables)
        guard error == 0 else { throw Errno(rawValue: error) }
        return ShellProcess(processID: processID)
    }

    /// Waits until the program has ended (waitpid(2)).
    func wait() async -> ProgramEnd {
        await withCheckedContinuation { continuation in
            // waitpid(2) blocks, which Swift's own threads must not.
            DispatchQueue.global().async { [processID] in
                var status: Int32 = 0
                while waitpid(processID, &status, 0) < 0 && errno == EINTR {}
                let signal = status & 0x7F
                continuation.resume(returning: signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal))
            }
        }
    }
}
