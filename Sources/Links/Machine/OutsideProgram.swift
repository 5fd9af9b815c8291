import LinuxSupport
package import SystemPackage
import Testbed

/// The program that connects a sandbox to this machine's networks: pasta(1) of passt.
package enum OutsideProgram {
    /// Its path, from the absolute folders in PATH, or from /usr/bin, where Debian installs it; `nil` if it is in none.
    package static func find() -> FilePath? {
        Environment.program("pasta", others: ["/usr/bin"]) { $0.isAbsolute }
    }

    /// The error if it is not installed.
    package static let missing =
        "pasta(1), which connects a sandbox to this machine's networks, is not installed. Install it: "
        + "'sudo apt-get install passt'."

    /// Why a sandbox cannot reach this machine's networks, as sentences; nil if it can, or if there is no sandbox at
    /// all.
    ///
    /// Makes a sandbox and tries. Throws only `CancellationError`.
    package static func obstacle(to program: FilePath?, by links: LinkDependencies) async throws -> String? {
        guard let program else { return missing }
        var configuration = SandboxConfiguration()
        configuration.outside = SandboxAddresses.outside
        do {
            try await links.withSandbox(configuration) { sandbox in
                try await sandbox.withOutside(by: program) { _ in }
            }
        } catch let error as SandboxOutsideError {
            return error.description
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // The plan reports why there is no sandbox.
        }
        return nil
    }
}
