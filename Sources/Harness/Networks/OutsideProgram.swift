import Links
import LinuxSupport
package import SystemPackage
package import Testbed

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
    static func obstacle(to program: FilePath?, by links: LinkDependencies) async throws -> String? {
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

extension Testbed.Sandbox {
    /// Connects an open sandbox to this machine's networks, with forwarded ports on the client's loopback, while `body`
    /// runs.
    ///
    /// Throws `HarnessError` if the networks are not available, or were lost before `body` ended.
    func withMachinesNetworks(
        by program: FilePath?, forwarding ports: [UInt16], _ body: () async throws -> Void
    ) async throws {
        guard let program else {
            throw HarnessError.noNetwork(OutsideProgram.missing, isLost: false)
        }
        do {
            try await withOutside(by: program) { companion in
                try await LoopbackForward.with(ports, of: self, body)
                if let end = companion.end { throw HarnessError.networkLost(end) }
            }
        } catch let error as SandboxOutsideError {
            throw HarnessError.noNetwork(error.description, isLost: false)
        }
    }
}

extension HarnessError {
    /// The error that the connection was lost while a program ran.
    package static func networkLost(_ end: SandboxCompanion.End) -> HarnessError {
        if let shortage = end.shortage {
            return .noNetwork(
                "Headwind could not relay all connections to this machine's networks at once: \(shortage). Some had to wait, "
                    + "so the result of CMD says nothing about the network. Raise the limits that 'ulimit -Hn' and 'ulimit -Hu' show.",
                isLost: true)
        }
        let words = end.words.isEmpty ? "" : " \(end.words)"
        return .noNetwork(
            "The connection to this machine's networks was lost while CMD ran: pasta has ended (\(end.status)).\(words)",
            isLost: true)
    }
}
