import KernelLink
import LinkModel
import Testbed

/// What this kernel's own queues can have of a link: compiled as a link would be, and set against what the kernel has.
struct KernelAbilities {
    /// The parts that are here; nil where nobody could ask.
    let parts: Set<KernelPart.Kind>?

    init(_ parts: [KernelPart]?) {
        self.parts = parts.map { Set($0.filter(\.isAvailable).map(\.kind)) }
    }

    func ability(for property: LinkProperty) -> LinkAbility {
        guard let parts else { return .no(nil) }
        let profiles = property.examples
        if let obstacle = profiles.lazy.flatMap({ KernelObstacles.find(in: $0) }).first { return .no(obstacle.reason) }
        let lacking = profiles.reduce(into: Set([.veth])) { $0.formUnion(Self.needs($1)) }.subtracting(parts)
        guard !lacking.isEmpty else { return .packets }
        return .no("needs \(lacking.map(\.rawValue).sorted().joined(separator: ", "))")
    }

    /// The parts of the kernel that a profile is compiled to, with all that it becomes.
    static func needs(_ profile: Profile) -> Set<KernelPart.Kind> {
        var needs: Set<KernelPart.Kind> = []
        for direction in Direction.allCases {
            let form = EgressForm(direction, profile)
            guard !form.isEmpty, let plan = try? EgressPlan(profile.conditions, direction, form: form) else {
                continue
            }
            needs.formUnion(plan.kinds.compactMap(KernelPart.Kind.init(rawValue:)))
        }
        return needs
    }
}

extension LinkProperty {
    /// Profiles that have it: each of the kinds that there are.
    fileprivate var examples: [Profile] {
        let share = Ratio(partsPerBillion: 10_000_000)
        let rate = BitRate(bitsPerSecond: 1_000_000)
        let delay = Duration.milliseconds(10)
        return switch self {
        case .rate: [Self.link(Conditions(rate: rate))]
        case .delay: [Self.link(Conditions(delay: delay))]
        case .jitter:
            Jitter.Distribution.allCases.map { shape in
                Self.link(Conditions(delay: delay, jitter: Jitter(amount: .milliseconds(1), distribution: shape)))
            }
        case .loss: [Self.link(Conditions(loss: .random(share)))]
        case .bursts: [Self.link(Conditions(loss: .gilbertElliott(GilbertElliott(goodToBad: share, badToGood: share))))]
        case .duplicate: [Self.link(Conditions(duplicate: share))]
        case .reorder: [Self.link(Conditions(delay: delay, reorder: share))]
        case .corrupt: [Self.link(Conditions(corrupt: share))]
        case .queue: [.packets(10), .bytes(ByteCount(10_000))].map { Self.link(Conditions(rate: rate, queue: $0)) }
        case .dnsDelay: [Profile(name: rawValue, conditions: LinkConditions(dnsDelay: delay))]
        case .offline: OfflineKind.allCases.map { Profile(name: rawValue, conditions: LinkConditions(offline: $0)) }
        case .stall: [Profile(name: rawValue, stall: .init(period: .seconds(2), length: .seconds(1)))]
        case .trace: [Profile(name: rawValue, downlinkTrace: try? DeliveryTrace(mahimahi: "1\n"))]
        case .mtu: [Profile(name: rawValue, conditions: LinkConditions(mtu: 1400))]
        case .datagrams: [Profile(name: rawValue)]
        }
    }

    private static func link(_ conditions: Conditions) -> Profile {
        Profile(name: "example", conditions: LinkConditions(downlink: conditions, uplink: conditions))
    }
}
