import SystemPackage
package import Testbed

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
