import KernelLink
package import LinkModel
import PacketLink
package import SandboxMessages
package import Testbed

/// The queues of a router between the two networks of a sandbox.
///
/// To find out what they can do, it compiles a profile as for a link, and compares that with the parts of the kernel.
package struct KernelBackend: LinkProvider {
    package let fidelity = LinkFidelity.packet
    package let sandbox: SandboxLinkKind? = .router
    package let title = "the kernel's queues"
    package let captureObstacle: String? = "the kernel does not report which packets it dropped, and why"
    package let hasBuckets = true
    /// 64 MiB: the kernel allocates memory for its queue, which must not hold more packets than it can count.
    package let mostQueueBytes = ByteCount(1 << 26)

    package init() {}

    package func obstacles(to setup: LinkSetup) -> [String] {
        let schedule = "the schedule (its queues cannot identify packets)"
        return KernelObstacles.find(in: setup) + (setup.schedule == nil ? [] : [schedule])
    }

    package func parts(for setup: LinkSetup) -> Set<KernelPart.Kind> { Self.parts(for: setup.foreseen) }

    package func ability(for property: LinkProperty, on machine: LinkMachine) -> LinkAbility {
        guard let known = machine.kernel?.parts else { return .no(nil) }
        let parts = Set(known.filter(\.isAvailable).map(\.kind))
        let profiles = property.examples
        if let obstacle = profiles.lazy.flatMap({ KernelObstacles.find(in: $0) }).first { return .no(obstacle.reason) }
        let lacking = profiles.reduce(into: Set([.veth])) { $0.formUnion(Self.parts(for: $1)) }.subtracting(parts)
        guard !lacking.isEmpty else { return .packets }
        return .no("needs \(lacking.map(\.rawValue).sorted().joined(separator: ", "))")
    }

    /// Marks the backend as unavailable if the kernel cannot limit a rate.
    package func complete(_ row: inout Backends.Row, on machine: LinkMachine) {
        guard row.isAvailable else { return }
        func lacks(_ kind: KernelPart.Kind) -> KernelPart? {
            machine.kernel?.parts?.first { $0.kind == kind && !$0.isAvailable }
        }
        if let rate = lacks(.tbf).map(KernelPartRow.init) {
            (row.isAvailable, row.reason, row.cause, row.remedy) = (false, "no-tbf", rate.cause, rate.remedy)
        } else if lacks(.netem) != nil {
            row.notes.append("This kernel has no netem: a link has only rates, their queues and 'offline: silent'.")
        }
    }

    package func absence(_ why: String) -> String {
        "this machine's kernel cannot shape the link. \(why) '--backend packet' needs none of its queues."
    }

    package func notes(on setup: LinkSetup) -> [String] {
        setup.isCertain
            ? []
            : [
                "losses cannot be replayed: the kernel's queues do not tell packets apart, and a failure leaves no bundle"
            ]
    }

    /// Runs `body` with the link, and reads all its settings back at the end.
    package func withLink<Result>(
        _ setup: LinkSetup, at place: LinkPlace,
        _ body: (any ConditionedLink, LinkEntrance) async throws -> Result
    ) async throws -> Result {
        guard case .sandbox(let sandbox, _) = place else { preconditionFailure("a router is in a sandbox") }
        let configuration = try KernelLinkConfiguration(
            profile: setup.foreseen, seed: setup.seed, toClient: SandboxRouter.toClient, toHost: SandboxRouter.toHost)
        return try await withKernelLink(configuration, adopting: sandbox.routeSocket(on: .router)) { link in
            // The MTU is larger than any packet, so that all are counted.
            var watch = PacketLinkConfiguration(
                profile: Profile(name: "watched", conditions: LinkConditions(mtu: 1 << 16)))
            watch.watches = true
            return try await withPacketLink(watch, client: sandbox.clientTap, host: sandbox.hostTap) { packets in
                let session = KernelSession(link, watchedBy: packets, setup)
                await session.begin()
                return try await body(session, LinkEntrance())
            }
        }
    }

    /// The parts of the kernel that a profile needs, at its start and after each change.
    private static func parts(for profile: Profile) -> Set<KernelPart.Kind> {
        var parts: Set<KernelPart.Kind> = []
        for direction in Direction.allCases {
            let layout = QueueLayout(direction, profile)
            guard !layout.isEmpty, let plan = try? EgressPlan(profile.conditions, direction, layout: layout) else {
                continue
            }
            parts.formUnion(plan.kinds.compactMap(KernelPart.Kind.init(rawValue:)))
        }
        return parts
    }
}

extension LinkProperty {
    /// Example profiles with the property, one of each kind.
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
