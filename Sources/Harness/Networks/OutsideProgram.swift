import Links
import LinuxSupport
package import SystemPackage
import Testbed

/// The program that joins a sandbox to this machine's networks: pasta(1) of passt.
package enum OutsideProgram {
    /// Where it is: in a folder of PATH that has a whole path, or where Debian puts it; `nil` where it is in none.
    package static func find() -> FilePath? {
        Environment.program("pasta", others: ["/usr/bin"]) { $0.isAbsolute }
    }

    /// What to say where it is not there.
    package static let missing =
        "pasta(1), which connects a sandbox to this machine's networks, is not installed. Install it: "
        + "'sudo apt-get install passt'."

    /// Why no way leads from a sandbox to this machine's networks, as sentences; nil where one does, and where there is no
    /// sandbox at all.
    ///
    /// Makes one and tries. Throws `CancellationError` only.
    static func obstacle(to program: FilePath?, by links: LinkDependencies) async throws -> String? {
        guard let program else { return missing }
        var configuration = SandboxConfiguration()
        configuration.isOpen = true
        do {
            try await links.withSandbox(configuration) { sandbox in
                try await sandbox.withOutside(by: program) { _ in }
            }
        } catch let error as SandboxOutsideError {
            return error.description
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // Why there is no sandbox the plan says by itself.
        }
        return nil
    }
}
