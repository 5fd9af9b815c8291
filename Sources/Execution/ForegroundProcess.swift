import Glibc
import ProcessGuard

/// A program that replaces this one at the terminal: same streams, same folder, same process group.
package enum ForegroundProcess {
    /// Why a program could not be started; the statuses are those of env(1).
    package struct NotStarted: Error, CustomStringConvertible {
        let program: String
        let error: Int32

        package var status: Int32 { error == ENOENT ? 127 : 126 }
        package var description: String {
            let remedy =
                error == ENOENT ? "Is it spelled right, and in a folder of PATH?" : "Is it a program that you may run?"
            return "could not run '\(program)': \(String(cString: strerror(error))). \(remedy)"
        }
    }

    /// The kernel does not let a program end.
    struct NotEnded: Error, CustomStringConvertible {
        let program: String

        var description: String {
            "could not end '\(program)': it does not react to signals. It may wait for a dead network file system."
        }
    }

    /// Runs a program under a guard, with this process's standard input or none, and returns how it ended.
    ///
    /// It returns when the program and all its descendants have ended. `body` gets the program, to send it signals. A
    /// name without a slash is looked up in PATH. Throws ``NotStarted``, ``NotEnded``, and `GuardError` if the guard
    /// was killed.
    static func run(
        _ words: [String], environment: [String: String], keeping descriptors: [Int32], hasInput: Bool = true,
        body: (GuardedProcess) async -> Void
    ) async throws -> ProgramEnd {
        var command = GuardedCommand(words[0], arguments: Array(words.dropFirst()), environment: environment)
        (command.input, command.output, command.errors) = (hasInput ? .inherited : .null, .inherited, .inherited)
        command.foreground = descriptors
        command.wantsNamespace = true
        let isInForeground = tcgetpgrp(STDIN_FILENO) == getpgrp()
        // A shell in a PID namespace cannot name the process group that must get the terminal back.
        defer { if isInForeground { takeTerminal() } }
        switch try await withGuardedProcess(command, body: body).exit.status {
        case .exited(let status): return .exited(status)
        case .signaled(let signal): return .signalled(signal)
        case .notExecuted(let error), .noDirectory(let error):
            throw NotStarted(program: words[0], error: error.rawValue)
        case .left: throw NotEnded(program: words[0])
        }
    }

    /// Makes this process's group the terminal's foreground group.
    private static func takeTerminal() {
        guard ![-1, getpgrp()].contains(tcgetpgrp(STDIN_FILENO)) else { return }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTTOU)
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        tcsetpgrp(STDIN_FILENO, getpgrp())
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
