package import LinkModel
import PacketLink
package import SandboxMessages
import Testbed

/// Packets that Headwind moves between the two networks of a sandbox.
package struct PacketBackend: LinkProvider {
    package let fidelity = LinkFidelity.packet
    package let sandbox: SandboxLinkKind? = .packets
    package let title = "packets"
    package let recordsPackets = true

    package func ability(for property: LinkProperty, on machine: LinkMachine) -> LinkAbility {
        if case .available? = machine.sandboxes { .packets } else { .no(nil) }
    }

    package func absence(_ why: String) -> String { "this machine cannot run the packet backend. \(why)" }

    /// Runs `body` with the link; the client's network has no route while the link has no way to the host.
    package func withLink<Result>(
        _ setup: LinkSetup, at place: LinkPlace,
        _ body: (any ConditionedLink, LinkEntrance) async throws -> Result
    ) async throws -> Result {
        guard case .sandbox(let sandbox, let capture) = place else { preconditionFailure("packets are in a sandbox") }
        let routes = try await sandbox.clientRoutes()
        return try await withPacketLink(
            PacketLinkConfiguration(
                profile: setup.profile, seed: setup.seed, schedule: setup.schedule, capture: capture),
            client: sandbox.clientTUN, host: sandbox.hostTUN, tellRoute: { routes.set(hasRoute: $0) }
        ) { link in try await body(link, LinkEntrance()) }
    }
}
