import KernelLink
import LinkModel
import Netlink
import SandboxMessages
import Testbed
import Testing

/// A link in the network of a sandbox's router, set by a process outside; RootlessTests runs it without root.
@Suite(.timeLimit(.minutes(1))) struct SandboxLinkTests {
    @Test func isSetFromOutside() async throws {
        let rates = try ["1 Mbit/s", "8 Mbit/s"].map { Conditions(rate: try BitRate(parsing: $0)) }
        let slow = LinkConditions(downlink: rates[0], uplink: rates[0])
        let fast = LinkConditions(downlink: rates[1], uplink: rates[0])
        try await withSandbox { sandbox in
            let router = try RouteSocket(adopting: await sandbox.routeSocket(on: .router))
            try router.request(VirtualInterface.pair(InterfaceName("down0"), InterfaceName("client0")))
            try router.request(VirtualInterface.pair(InterfaceName("up0"), InterfaceName("host0")))
            let configuration = try KernelLinkConfiguration(
                profile: Profile(name: "sandbox", conditions: slow), toClient: "down0", toHost: "up0")
            let other = try RouteSocket(adopting: await sandbox.routeSocket(on: .router))
            let states = try await withKernelLink(configuration, socket: other) { link in
                try link.set(fast)
                return try [InterfaceName("down0"), InterfaceName("up0")].map { try router.interface($0) }
            }
            #expect(states.map(\.queue) == ["tbf", "tbf"] && states.allSatisfy { $0.mostSegments == 1 })
            let after = try router.interface(InterfaceName("down0")).queue
            #expect(after != "tbf")
        }
    }
}
