import LinkModel
import Netlink

/// The plan of a shape on one interface.
///
/// It has a tree for outgoing traffic, at the root of the interface; a tree for incoming traffic, on an `ifb`; and the
/// filters that send incoming traffic there.
struct InterfacePlan {
    /// A rule with its place, and how old its profile is when the shape begins.
    struct Rule {
        let selector: LinkSelector
        let profile: Profile
        let place: RulePlace
    }

    let target: InterfaceState
    let profile: Profile?
    let rules: [Rule]
    /// For outgoing traffic; with ``InterfaceShape/leadsToDevices`` it has the downlinks of profiles.
    var uplink = InterfaceTree.empty
    /// For incoming traffic.
    var downlink = InterfaceTree.empty
    private let shape: InterfaceShape
    /// Whether the filters of rules are left out.
    private var isFrame = false

    /// The queue that incoming traffic passes; the kernel gives it this handle.
    static let ingress = TrafficHandle(0xffff)
    /// A class that does not exist: packets that are sent there go on unchanged.
    private static let pass = TrafficHandle(ingress.major, 1)

    /// Makes a plan; `places` has one place for each rule.
    ///
    /// `keepsPace`: the MTU of the interface was raised since the shape was put on it.
    init(
        _ shape: InterfaceShape, on target: InterfaceState, places: [RulePlace]? = nil, keepsPace: Bool = false
    ) throws(InterfaceLinkError) {
        (self.target, self.shape) = (target, shape)
        let hardware = (shape.exceptions + shape.rules.map(\.selector)).first {
            if case .hardware = $0 { true } else { false }
        }
        if let hardware, !target.isEthernet {
            throw InterfaceLinkError(
                .request,
                "Could not match \(hardware) on interface \(target.interface): its packets have no MAC addresses. "
                    + "Write the device's IP address instead.")
        }
        var profile: Profile?
        if let wanted = shape.profile { profile = try wanted.fitting(target, keepsPace: keepsPace) }
        var rules: [Rule] = []
        for (rule, place) in zip(shape.rules, places ?? RulePlace.fresh(shape.rules.count)) {
            let profile = try rule.profile.fitting(target, keepsPace: keepsPace)
            rules.append(Rule(selector: rule.selector, profile: profile, place: place))
        }
        (self.profile, self.rules) = (profile, rules)
        try play(.zero)
    }

    /// The plan at `elapsed` since the shape began.
    func at(_ elapsed: Duration) throws(InterfaceLinkError) -> InterfacePlan {
        var plan = self
        try plan.play(elapsed)
        return plan
    }

    private mutating func play(_ elapsed: Duration) throws(InterfaceLinkError) {
        let bypass = SelectorFilters.all(
            shape.exceptions, .uplink, below: InterfaceTree.root, to: InterfaceTree.root)
        uplink = try tree(.uplink, exceptions: bypass, at: elapsed)
        // Excepted incoming traffic does not reach the ifb.
        downlink = try tree(.downlink, exceptions: [], at: elapsed)
    }

    private func tree(
        _ own: Direction, exceptions: [TrafficFilter], at elapsed: Duration
    ) throws(InterfaceLinkError) -> InterfaceTree {
        let direction = shape.direction(of: own)
        let largest = UInt32(clamping: UInt64(target.mtu) + UInt64(target.isEthernet ? 14 : 0))
        var branches: [RuleBranch] = []
        for rule in rules {
            let plan = try Self.plan(rule.profile, at: elapsed + rule.place.age, direction, on: target)
            branches.append(
                RuleBranch(plan, in: rule.place.slot, largest: largest) {
                    SelectorFilters.rule(rule.selector, own, slot: rule.place.slot, below: InterfaceTree.root, $0)
                })
        }
        var plan = EgressPlan()
        if let profile { plan = try Self.plan(profile, at: elapsed, direction, on: target) }
        return InterfaceTree(plan, exceptions: exceptions, branches: branches, largest: largest)
    }

    /// When a profile changes next, as a duration since the shape began; nil: never.
    func nextChange(after elapsed: Duration) -> Duration? {
        let next = rules.compactMap { rule in
            rule.profile.nextChange(after: elapsed + rule.place.age).map { $0 - rule.place.age }
        }
        return (next + [profile?.nextChange(after: elapsed)].compactMap(\.self)).min()
    }

    /// The filters on incoming traffic; the one that sends all other traffic to the `ifb` is the last.
    func incoming(to ifb: UInt32) -> [TrafficFilter] {
        guard !downlink.isEmpty else { return [] }
        let passing = SelectorFilters.all(shape.exceptions, .downlink, below: Self.ingress, to: Self.pass)
        let ruled =
            isFrame
            ? []
            : zip(rules, downlink.branches).flatMap { rule, branch in
                SelectorFilters.rule(
                    rule.selector, .downlink, slot: rule.place.slot, below: Self.ingress,
                    branch.isEmpty ? .classify(Self.pass) : .redirect(ifb))
            }
        // Without a profile, traffic without a rule goes on unchanged.
        guard !downlink.plan.queues.isEmpty else { return passing + ruled }
        let priority =
            rules.isEmpty ? SelectorFilters.Priority.redirection : SelectorFilters.Priority.lastRedirection
        let all = TrafficFilter(
            parent: Self.ingress, priority: priority, .all, matches: [.any], .redirect(ifb))
        return passing + ruled + [all]
    }

    static let ingressQueue = TrafficQueue(.ingress, handle: ingress, parent: .ingress)

    /// The plan without the parts of rules: it stays when rules are added and removed.
    var frame: InterfacePlan {
        var plan = self
        (plan.uplink, plan.downlink, plan.isFrame) = (uplink.frame, downlink.frame, true)
        return plan
    }

    /// A digest of the plan without its numbers and its rules; of 24 bits, because the alias has little room.
    var form: UInt64 {
        let own = (rules.isEmpty ? [] : ["rules"]) + (shape.leadsToDevices ? ["devices"] : [])
        let frame = frame
        return FNV.digest(
            ["up"] + frame.uplink.form + ["down"] + frame.downlink.form
                + frame.incoming(to: 0).map(\.description) + own) & 0xff_ffff
    }

    var directions: Set<Direction> {
        Set([(Direction.uplink, uplink), (.downlink, downlink)].filter { !$0.1.isEmpty }.map(\.0))
    }

    private static func plan(
        _ profile: Profile, at age: Duration, _ direction: Direction, on target: InterfaceState
    ) throws(InterfaceLinkError) -> EgressPlan {
        let layout = QueueLayout(direction, profile)
        if layout.isEmpty { return EgressPlan() }
        do {
            return try EgressPlan(
                profile.conditions(at: age), direction, layout: layout, headerBytes: target.isEthernet ? 14 : 0)
        } catch {
            throw InterfaceLinkError(.request, "\(error)")
        }
    }
}

/// FNV-1a, to recognise something again; it secures nothing.
enum FNV {
    static func digest(_ lines: [String]) -> UInt64 {
        lines.joined(separator: "\n").utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
