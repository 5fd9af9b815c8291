package import SystemPackage

/// Why a sandbox cannot be opened to this machine's networks.
package struct SandboxOutsideError: Error, Equatable, CustomStringConvertible {
    /// The program that was to do it.
    package let program: FilePath
    /// What happened, and what to try.
    package let problem: String

    package var description: String {
        "Could not join the sandbox to this machine's networks by '\(program)': \(problem)"
    }
}
