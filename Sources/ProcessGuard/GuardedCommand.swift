import CLinux
package import SystemPackage

/// A program to run under a guard, with its arguments, environment, streams and limits.
package struct GuardedCommand: Sendable {
    /// Where the program's standard input comes from.
    package enum Input: Sendable {
        /// Nothing: reading returns the end of the file.
        case null
        /// The contents of a file.
        case file(FilePath)
        /// The standard input of the harness.
        case inherited
    }

    /// Where the program's standard output, or its standard error, goes.
    package enum Output: Sendable {
        /// Nowhere.
        case discarded
        /// Into a file, which is created or emptied.
        case file(FilePath)
        /// To `GuardedProcess.output` or `GuardedProcess.errors`; a program that writes faster than its reader waits.
        case streamed
        /// To the same stream of the harness.
        case inherited
    }

    /// The program: a path, or a name to look up in `PATH` of `environment`.
    package var executable: String
    package var arguments: [String]
    /// All variables of the program.
    ///
    /// Nothing of the harness's own environment is added.
    package var environment: [String: String]
    /// The program's working directory; `nil` (the default) is the harness's own.
    package var directory: FilePath?
    /// The default is `.null`.
    package var input: Input = .null
    /// The default is `.discarded`.
    package var output: Output = .discarded
    /// The default is `.discarded`.
    package var errors: Output = .discarded
    /// How long the program may run before all its processes are ended; `nil` (the default) is no limit.
    package var deadline: Duration?
    /// How long its processes may take to end after SIGTERM, before SIGKILL.
    ///
    /// The default is 2 s, the most is 10 min.
    package var grace: Duration = .seconds(2)
    /// A directory from `withScratchDirectory` that the program uses (default: nil).
    ///
    /// If the harness dies, the directory is removed only after the program has ended.
    package var scratch: FilePath?

    /// Further descriptors that a program in the foreground inherits; `nil` (the default) for a program in the
    /// background.
    ///
    /// In the foreground the program stays in the harness's session and process group, and inherits ignored signals.
    /// Signals to the guards then have no effect, as they may be meant for the group. In the background it has its own
    /// process group in another session, and no descriptors except its streams.
    package var foreground: [Int32]?
    /// Whether the program's processes get a PID namespace (pid_namespaces(7)), if that needs no user namespace.
    ///
    /// They then end even if all guards are killed at once. They see no other processes in /proc. The default is false.
    package var wantsNamespace = false

    package init(_ executable: String, arguments: [String] = [], environment: [String: String]) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
    }

    /// The prefix of the names of the program's variables in the guard's environment.
    ///
    /// The guard removes it for the program. Without it a variable such as LD_PRELOAD would affect the guard itself.
    private static let prefix = "+"

    /// The guard's command line.
    func guardArguments(program: FilePath, lifeline: Int32, report: Int32) -> [String] {
        var arguments = [
            program.string, "--lifeline", "\(lifeline)", "--report", "\(report)",
            "--environment-prefix", Self.prefix, "--grace", "\(grace.wholeMilliseconds)",
        ]
        if let scratch {
            arguments += ["--scratch", scratch.string]
        }
        if foreground != nil { arguments.append("--foreground") }
        if wantsNamespace { arguments.append("--namespace") }
        if let directory {
            arguments += ["--directory", directory.string]
        }
        let openFiles = headwind_descriptors_before()
        if openFiles >= 0 {
            // The guard inherits this process's raised limit; this passes the earlier one for the program.
            arguments += ["--open-files", "\(openFiles)"]
        }
        return arguments + ["--", executable] + self.arguments
    }

    /// The guard's environment: the program's variables, with prefixed names.
    var guardEnvironment: [String: String] {
        Dictionary(uniqueKeysWithValues: environment.map { (Self.prefix + $0, $1) })
    }

    /// Throws `GuardError.notRepresentable` if the kernel would see other strings than the caller means.
    func checkStrings() throws(GuardError) {
        let texts = [executable] + arguments + environment.values
        if let text = texts.first(where: { $0.utf8.contains(0) }) {
            throw .notRepresentable(text)
        }
        if let name = environment.keys.first(where: { $0.isEmpty || $0.utf8.contains(0) || $0.contains("=") }) {
            throw .notRepresentable(name)
        }
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up, and limited to 0 to 10 min, which the guard allows.
    fileprivate var wholeMilliseconds: Int64 {
        let limited = min(max(self, .zero), .seconds(600))
        let (seconds, attoseconds) = limited.components
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
