package import LinkModel
import Netlink

/// A shape: a profile for both directions of an interface, with exceptions, and other profiles for some of its traffic.
package struct InterfaceShape: Sendable {
    /// The profile of traffic without a rule; nil: that traffic is not shaped.
    package let profile: Profile?
    /// The first rule that matches a packet counts.
    package let rules: [LinkRule]
    package let exceptions: [LinkSelector]
    /// Whether devices are behind the interface, as on a gateway: their downloads leave by it.
    package let leadsToDevices: Bool
    /// The most exceptions: with more, each packet would be checked too often.
    package static let mostExceptions = 64
    package static let mostRules = 32

    /// Makes a shape; throws everything that the kernel's queues do not support, or what is wrong with the rules or
    /// exceptions.
    package init(
        _ profile: Profile?, rules: [LinkRule] = [], exceptions: [LinkSelector] = [], leadsToDevices: Bool = false
    ) throws(InterfaceLinkError) {
        let wanted = (profile.map { [(nil, $0)] } ?? []) + rules.map { (Optional($0), $0.profile) }
        let reasons = wanted.flatMap { rule, profile in
            KernelObstacles.find(in: profile).map { obstacle in
                let place = rule.map { "Rule '\($0)': the" } ?? "The"
                return "\(place) kernel's queues do not support \(obstacle.property): \(obstacle.reason)."
            }
        }
        guard reasons.isEmpty else {
            let name = wanted.first { !KernelObstacles.find(in: $0.1).isEmpty }?.1.name ?? ""
            throw InterfaceLinkError(
                .request,
                reasons.joined(separator: " ")
                    + " To shape one program with packets: headwind exec --profile \(name) -- CMD.")
        }
        guard exceptions.count <= Self.mostExceptions else {
            throw InterfaceLinkError(
                .request,
                "Could not except \(exceptions.count) ports and networks: the maximum is \(Self.mostExceptions). "
                    + "Combine several of them into one network.")
        }
        try LinkRule.check(rules, behind: exceptions)
        (self.profile, self.rules, self.exceptions) = (profile, rules, exceptions)
        self.leadsToDevices = leadsToDevices
    }

    /// Its name in messages: `3g`, `2 rules`, or `3g and 2 rules`.
    package var name: String { Self.name(profile?.name, rules: rules.count) }

    package static func name(_ profile: String?, rules count: Int) -> String {
        let rules = count == 0 ? nil : count == 1 ? "1 rule" : "\(count) rules"
        return [profile, rules].compactMap(\.self).joined(separator: " and ")
    }

    /// The direction of profiles that applies to outgoing (uplink) or incoming (downlink) traffic of the interface.
    func direction(of own: Direction) -> Direction { leadsToDevices ? own.opposite : own }
}

extension Profile {
    /// The profile with the MTU of an interface.
    ///
    /// Throws if the profile asks for a smaller MTU, or if the kernel's queues do not support it with this one.
    func fitting(_ interface: InterfaceState, keepsPace: Bool = false) throws(InterfaceLinkError) -> Profile {
        var profile = self
        let usual = LinkConditions().mtu
        let smaller = allConditions.map(\.mtu).first { $0 < interface.mtu && $0 != usual }
        if !keepsPace, let smaller {
            throw InterfaceLinkError(
                .request,
                "Could not use the profile's MTU, \(smaller) B, on interface \(interface.interface): the interface keeps "
                    + "its own, \(interface.mtu) B. Set it first: ip link set \(interface.interface) mtu \(smaller).")
        }
        profile.conditions.mtu = Int(interface.mtu)
        for index in profile.changes.indices { profile.changes[index].conditions.mtu = Int(interface.mtu) }
        let obstacles = KernelObstacles.find(in: profile)
        guard let obstacle = obstacles.first else { return profile }
        throw InterfaceLinkError(
            .request,
            "The kernel's queues do not support \(obstacle.property) on interface \(interface.interface): \(obstacle.reason)."
        )
    }
}
