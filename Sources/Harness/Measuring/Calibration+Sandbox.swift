import LinkModel
import LinkProbe
import PacketLink
import Results
import Testbed

extension Calibration {
    /// Probes the link in a sandbox, from socket to socket.
    func probeSandbox(_ number: Int, by plan: ProbePlan) async throws -> [LinkMeasurement] {
        var configuration = SandboxConfiguration()
        configuration.link = backend == .kernel ? .router : .packets
        configuration.mtu = cell.link.profile.conditions.mtu
        var result: ProbeResult?
        try await dependencies.withSandbox(configuration) { sandbox in
            let listener = try await sandbox.listen(on: .host)
            try await withProbeServer(on: listener.descriptor.rawValue) { server in
                func measure() async throws {
                    result = try await LinkProbe.measure(
                        through: .sockets { try await sandbox.connectedSocket(to: server.port).rawValue },
                        target: server,
                        plan: plan)
                }
                if backend == .kernel {
                    let link = LinkSetup(profile: probed, seed: seed(number))
                    return try await dependencies.withKernelLink(link, sandbox) { _ in try await measure() }
                }
                let link = PacketLinkConfiguration(profile: probed, seed: seed(number))
                try await dependencies.withSandboxLink(link, sandbox) { _ in try await measure() }
            }
        }
        return result.map { CalibrationRows(profile: cell.link.profile, plan: plan, result: $0, backend: backend).rows }
            ?? unverified("the link did not come up")
    }
}
