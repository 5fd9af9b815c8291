package import LinkModel
import Netlink

/// What is wanted of an interface: a profile in both directions, with exceptions, and other profiles for some of its traffic.
package struct InterfaceShape: Sendable {
    /// Of what no rule is for; nil: it is not shaped.
    package let profile: Profile?
    /// The first one that is for a packet counts.
    package let rules: [LinkRule]
    package let exceptions: [LinkSelector]
    /// Whether devices are behind the interface, as on a gateway: their downloads leave by it.
    package let leadsToDevices: Bool
    /// Above this a packet would be looked at too often.
    package static let mostExceptions = 64
    package static let mostRules = 32

    /// Takes profiles that the kernel's queues can have, and throws everything that stands in the way else.
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

    /// All that it plays.
    var profiles: [Profile] { (profile.map { [$0] } ?? []) + rules.map(\.profile) }

    /// What it is called: `3g`, `2 rules`, or `3g and 2 rules`.
    package var name: String { Self.name(profile?.name, rules: rules.count) }

    package static func name(_ profile: String?, rules count: Int) -> String {
        let rules = count == 0 ? nil : count == 1 ? "1 rule" : "\(count) rules"
        return [profile, rules].compactMap(\.self).joined(separator: " and ")
    }

    /// Which direction of a profile is what leaves the interface, or what comes in by it, which for this machine itself are an uplink and
    /// a downlink.
    func direction(of own: Direction) -> Direction { leadsToDevices ? own.opposite : own }
}

extension Profile {
    /// The profile with packets as large as those of an interface, which keeps its MTU.
    func fitting(_ interface: InterfaceState, keepsPace: Bool = false) throws(InterfaceLinkError) -> Profile {
        var profile = self
        let usual = LinkConditions().mtu
        let all = [profile.conditions] + profile.changes.map(\.conditions)
        if !keepsPace, let smaller = all.map(\.mtu).first(where: { $0 < interface.mtu && $0 != usual }) {
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
