package import LinkModel
import ProxyLink
package import SandboxMessages

/// A proxy on this machine's loopback, which shapes streams.
package struct ProxyBackend: LinkProvider {
    package let fidelity = LinkFidelity.modelled
    package let sandbox: SandboxLinkKind? = nil
    package let title = "the proxy"

    package func ability(for property: LinkProperty, on machine: LinkMachine) -> LinkAbility {
        switch property {
        case .duplicate, .reorder: .no("TCP hides it from a stream")
        case .datagrams: .no("a proxy carries only streams")
        case .rate, .delay, .jitter, .loss, .bursts, .corrupt, .queue, .dnsDelay, .offline, .stall, .trace, .mtu:
            .modelled
        }
    }

    package func absence(_ why: String) -> String { "this machine cannot run the proxy. \(why)" }

    package func withLink<Result>(
        _ setup: LinkSetup, at place: LinkPlace,
        _ body: (any ConditionedLink, LinkEntrance) async throws -> Result
    ) async throws -> Result {
        guard case .loopback(let routes, let targets) = place else { preconditionFailure("a proxy is on the loopback") }
        let configuration = ProxyLinkConfiguration(
            profile: setup.profile, seed: setup.seed, schedule: setup.schedule,
            reverse: targets.map { .init(target: $0) }, routes: routes)
        return try await withProxyLink(configuration) { link in
            try await body(link, LinkEntrance(proxy: link.forwardAddress, targets: link.reverseAddresses))
        }
    }
}
