package import SystemPackage

/// A program to run under a guard, and everything that it is given.
package struct GuardedCommand: Sendable {
    /// Where the program's standard input comes from.
    package enum Input: Sendable {
        /// Nothing: reading answers the end of the file.
        case null
        /// The contents of a file.
        case file(FilePath)
        /// What the harness itself reads.
        case inherited
    }

    /// Where the program's standard output, or its standard error, goes.
    package enum Output: Sendable {
        /// Nowhere.
        case discarded
        /// Into a file, which is made anew.
        case file(FilePath)
        /// To `GuardedProcess.output` or `GuardedProcess.errors`. A program that writes faster than is read there waits.
        case streamed
        /// To where the harness itself writes.
        case inherited
    }

    /// The program: a path, or a name that is looked up in `PATH` of `environment`.
    package var executable: String
    package var arguments: [String]
    /// Exactly the variables that the program has.
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
    /// How long the program may run before all of it is ended; `nil` (the default) is for ever.
    package var deadline: Duration?
    /// How long its processes may take to end after SIGTERM, before SIGKILL.
    ///
    /// The default is 2 s, the most is 10 min.
    package var grace: Duration = .seconds(2)
    /// A directory from `withScratchDirectory` that the program uses: if the harness dies, it is removed only when the
    /// program has ended.
    package var scratch: FilePath?

    /// Has the program stay in the harness's session and process group, with the signals that are ignored, and these descriptors
    /// of the harness's beside its streams; `nil` (the default) gives it a group of its own in another session, and no more
    /// descriptors.
    ///
    /// Signals to the guards then have no effect, as they may be meant for the group.
    package var foreground: [Int32]?
    /// Whether the program's processes get a namespace (pid_namespaces(7)) where this takes no user namespace: then they end also where
    /// all guards are killed at once.
    ///
    /// They see no others in /proc. The default is false.
    package var wantsNamespace = false

    package init(_ executable: String, arguments: [String] = [], environment: [String: String]) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
    }
}
