package import SandboxMessages
package import SystemPackage

/// A program to run in a sandbox.
///
/// It has no privileges and cannot get any, and a session of its own.
package struct SandboxCommand: Sendable {
    /// A descriptor that the program has, and its number there.
    ///
    /// It stays the caller's.
    package struct Descriptor: Sendable {
        package var descriptor: FileDescriptor
        package var number: Int32

        package init(_ descriptor: FileDescriptor, as number: Int32) {
            self.descriptor = descriptor
            self.number = number
        }
    }

    /// The program, a path or a name that is looked up in `PATH` of `environment`, and its arguments.
    package var arguments: [String]
    /// Exactly the variables that the program has.
    package var environment: [String: String]
    /// The program's working directory inside the sandbox; `nil` (the default) is where this process was when the sandbox was
    /// made.
    package var directory: FilePath?
    /// The most descriptors that a program can be given.
    package static let mostDescriptors = SandboxProtocol.mostDescriptors

    /// What the program has open, at most ``mostDescriptors``; where 0, 1 or 2 is missing it is /dev/null.
    package var descriptors: [Descriptor] = []
    /// The number of the descriptor that becomes the program's controlling terminal; the default is none.
    package var terminal: Int32?
    /// Whether all signals are blocked in it at first, for a program that is to be signalled before it is prepared for it; the
    /// default is that none is.
    package var blocksSignals = false
    /// The network that the program is in; the default is the client's.
    package var namespace: SandboxNamespace = .client

    package init(_ arguments: [String], environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
    }
}
