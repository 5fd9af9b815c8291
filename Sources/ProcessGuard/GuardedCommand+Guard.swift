import CLinux
import SystemPackage

extension GuardedCommand {
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
    var guardEnvironment: [String] {
        environment.map { name, value in "\(Self.prefix)\(name)=\(value)" }.sorted()
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
