package import LinkModel
import Netlink

/// What is wanted of an interface: a profile in both directions, with exceptions.
package struct InterfaceShape: Sendable {
    package let profile: Profile
    package let exceptions: [LinkException]
    /// Above this a packet would be looked at too often.
    package static let mostExceptions = 64

    /// Takes a profile that the kernel's queues can have, and throws everything that stands in the way else.
    package init(_ profile: Profile, exceptions: [LinkException] = []) throws(InterfaceLinkError) {
        let obstacles = KernelObstacles.find(in: profile)
        guard obstacles.isEmpty else {
            let reasons = obstacles.map { "The kernel's queues cannot have \($0.property): \($0.reason)." }
            throw InterfaceLinkError(
                .request,
                reasons.joined(separator: " ")
                    + " For one program 'headwind exec --profile \(profile.name) -- CMD' can, by packets.")
        }
        guard exceptions.count <= Self.mostExceptions else {
            throw InterfaceLinkError(
                .request,
                "Could not except \(exceptions.count) ports and networks: \(Self.mostExceptions) are the most. "
                    + "Take a network for several of them.")
        }
        (self.profile, self.exceptions) = (profile, exceptions)
    }

    /// The profile with packets as large as those of the interface, which keeps its MTU.
    func profile(on interface: InterfaceState, keepsPace: Bool = false) throws(InterfaceLinkError) -> Profile {
        var profile = profile
        let usual = LinkConditions().mtu
        let all = [profile.conditions] + profile.changes.map(\.conditions)
        if !keepsPace, let smaller = all.map(\.mtu).first(where: { $0 < interface.mtu && $0 != usual }) {
            throw InterfaceLinkError(
                .request,
                "Could not set the MTU of the profile, \(smaller) B, on interface \(interface.interface): an interface keeps "
                    + "its own, \(interface.mtu) B. Set it first: ip link set \(interface.interface) mtu \(smaller).")
        }
        profile.conditions.mtu = Int(interface.mtu)
        for index in profile.changes.indices { profile.changes[index].conditions.mtu = Int(interface.mtu) }
        let obstacles = KernelObstacles.find(in: profile)
        guard let obstacle = obstacles.first else { return profile }
        throw InterfaceLinkError(
            .request,
            "The kernel's queues cannot have \(obstacle.property) on interface \(interface.interface): \(obstacle.reason)."
        )
    }
}
