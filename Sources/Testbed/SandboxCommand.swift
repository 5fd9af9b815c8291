package import SandboxMessages
package import SystemPackage

/// A program to run in a sandbox.
///
/// It has no privileges and cannot get any. It has a process group of its own.
package struct SandboxCommand: Sendable {
    /// The program and its arguments; the program is a path, or a name to look up in `PATH` of `environment`.
    package var arguments: [String]
    /// All variables of the program.
    package var environment: [String: String]
    /// The program's working directory inside the sandbox.
    ///
    /// `nil` (the default) is the working directory of this process when it made the sandbox.
    package var directory: FilePath?
    /// The most descriptors that can be passed to a program.
    package static let mostDescriptors = SandboxProtocol.mostDescriptors

    /// The program's open descriptors with their numbers there, at most ``mostDescriptors``.
    ///
    /// A missing 0, 1 or 2 is /dev/null. The caller still owns its own copies.
    package var descriptors: [(descriptor: FileDescriptor, number: Int32)] = []
    /// The number of the descriptor that becomes the program's controlling terminal; the default is none.
    package var terminal: Int32?
    /// Whether the program begins with all signals blocked (default: false).
    ///
    /// Set it for a program that may get signals before it is ready for them.
    package var blocksSignals = false
    /// The network of the program; the default is the client's.
    package var namespace: SandboxNamespace = .client

    package init(_ arguments: [String], environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
    }
}
