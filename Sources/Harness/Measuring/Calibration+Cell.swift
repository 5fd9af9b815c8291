import LinkModel
import LinkProbe
import PacketLink
import Results
import Testbed

extension Calibration {
    /// Probes the link of a cell, from socket to socket.
    func probeCell(_ number: Int, by plan: ProbePlan) async throws -> [LinkMeasurement] {
        var configuration = CellConfiguration()
        configuration.link = backend == .kernel ? .router : .packets
        configuration.mtu = cell.link.profile.conditions.mtu
        var result: ProbeResult?
        try await rig.withCell(configuration) { cell in
            let listener = try await cell.listen(on: .host)
            try await withProbeServer(on: listener.descriptor.rawValue) { server in
                func measure() async throws {
                    result = try await LinkProbe.measure(
                        through: .sockets { try await cell.connectedSocket(to: server.port).rawValue }, target: server,
                        plan: plan)
                }
                if backend == .kernel {
                    let link = KernelSetup(profile: probed, seed: seed(number))
                    return try await rig.withKernelLink(link, cell) { _ in try await measure() }
                }
                let link = PacketLinkConfiguration(profile: probed, seed: seed(number))
                try await rig.withCellLink(link, cell) { _ in try await measure() }
            }
        }
        return result.map { CalibrationRows(profile: cell.link.profile, plan: plan, result: $0, backend: backend).rows }
            ?? unverified("the link did not come up")
    }
}
