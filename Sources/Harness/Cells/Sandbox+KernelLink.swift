package import KernelLink
package import LinkModel
import PacketLink
package import Testbed

extension Testbed.Sandbox {
    /// Has the queues of the sandbox's router be a link while `body` runs; the sandbox is one with a router.
    ///
    /// All is read back once more at the end. Throws `KernelLinkError`, also for a difference then; `SandboxError`, `PacketLinkError`, and whatever
    /// `body` throws.
    package func withKernelSession<Result>(
        _ setup: LinkSetup, _ body: (KernelSession) async throws -> Result
    ) async throws -> Result {
        let configuration = try KernelLinkConfiguration(
            profile: setup.foreseen, seed: setup.seed, toClient: Self.routerInterfaces.toClient,
            toHost: Self.routerInterfaces.toHost)
        return try await withKernelLink(configuration, adopting: routeSocket(on: .router)) { link in
            // Larger than any packet, so that none is too large to be counted.
            var watch = PacketLinkConfiguration(
                profile: Profile(name: "watched", conditions: LinkConditions(mtu: 1 << 16)))
            watch.watches = true
            return try await withPacketLink(watch, client: clientTap, host: hostTap) { packets in
                let session = KernelSession(link, watchedBy: packets, setup)
                await session.begin()
                return try await body(session)
            }
        }
    }
}
