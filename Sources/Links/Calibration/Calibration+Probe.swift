import LinkModel
import LinkProbe
import ProxyLink
import Testbed

extension Calibration {
    /// Probes a link with this set-up, from socket to socket; nil if no link came up.
    func probe(_ setup: LinkSetup, by plan: ProbePlan) async throws -> ProbeResult? {
        var result: ProbeResult?
        guard let kind = backend.provider.sandbox else {
            try await withProbeServer { server in
                let target = Endpoint(host: server.host, port: server.port)
                let place = LinkPlace.loopback(RouteTable(routes: [target: target]))
                try await links.withLink(backend, setup, place) { _, entrance in
                    result = try await LinkProbe.measure(
                        through: .proxy(host: entrance.proxy?.host ?? "", port: entrance.proxy?.port ?? 0),
                        target: server, plan: plan)
                }
            }
            return result
        }
        var configuration = SandboxConfiguration()
        configuration.link = kind
        configuration.mtu = profile.conditions.mtu
        try await links.withSandbox(configuration) { sandbox in
            let listener = try await sandbox.listen(on: .host)
            try await withProbeServer(on: listener.descriptor.rawValue) { server in
                try await links.withLink(backend, setup, .sandbox(sandbox)) { _, _ in
                    result = try await LinkProbe.measure(
                        through: .sockets { try await sandbox.connectedSocket(to: server.port).rawValue },
                        target: server, plan: plan)
                }
            }
        }
        return result
    }
}
