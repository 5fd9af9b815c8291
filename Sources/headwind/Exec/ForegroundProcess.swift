import Dispatch
import Glibc

/// A program that takes this one's place at the terminal: same streams, same folder, same process group.
struct ForegroundProcess {
    let processID: pid_t

    /// How a program ended.
    enum Ending: Equatable {
        case exited(Int32)
        case signalled(Int32)

        /// As a shell reports it.
        var status: Int32 {
            switch self {
            case .exited(let status): status
            case .signalled(let signal): 128 + signal
            }
        }
    }

    /// Why a program could not be started; the statuses are those of env(1).
    struct NotStarted: Error, CustomStringConvertible {
        let program: String
        let error: Int32

        var status: Int32 { error == ENOENT ? 127 : 126 }
        var description: String {
            let remedy =
                error == ENOENT ? "Is it spelled right, and in a folder of PATH?" : "Is it a program that you may run?"
            return "could not run '\(program)': \(String(cString: strerror(error))). \(remedy)"
        }
    }

    /// Starts a program, looked for in PATH where its name has no slash (posix_spawnp(3)).
    static func start(_ command: [String], environment: [String: String]) throws(NotStarted) -> ForegroundProcess {
        let arguments = CStringArray(command)
        let variables = CStringArray(environment.map { "\($0.key)=\($0.value)" })
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A closed pipe must end the program as it would without us.
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        posix_spawnattr_setsigmask(&attributes, &unblocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var processID = pid_t()
        let error = posix_spawnp(&processID, command[0], nil, &attributes, arguments.pointers, variables.pointers)
        guard error == 0 else { throw NotStarted(program: command[0], error: error) }
        return ForegroundProcess(processID: processID)
    }

    /// Waits until the program has ended (waitpid(2)).
    func wait() async -> Ending {
        await withCheckedContinuation { continuation in
            // A thread that blocks; Swift's own threads must not.
            DispatchQueue.global().async { [processID] in
                var status: Int32 = 0
                while waitpid(processID, &status, 0) < 0 && errno == EINTR {}
                let signal = status & 0x7F
                continuation.resume(returning: signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal))
            }
        }
    }
}

/// A list of C strings that ends with a null pointer, and lives as long as it is held.
private final class CStringArray {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) {
        pointers = strings.map { strdup($0) } + [nil]
    }

    deinit {
        for pointer in pointers { free(pointer) }
    }
}
