import LinkModel
import Netlink

/// A shape as it is put on one interface: a tree for what leaves, at its root; one for what comes in, on an `ifb`; and the filters that
/// send what comes in there.
struct InterfacePlan {
    let target: InterfaceState
    let profile: Profile
    var uplink: InterfaceTree
    var downlink: InterfaceTree
    private let exceptions: [LinkException]

    /// Where what comes in passes by; the kernel gives it this handle.
    static let ingress = TrafficHandle(0xffff)

    /// `keepsPace`: the interface has become larger since the shape was put on it.
    init(
        _ shape: InterfaceShape, on target: InterfaceState, keepsPace: Bool = false
    ) throws(InterfaceLinkError) {
        self.target = target
        exceptions = shape.exceptions
        let profile = try shape.profile(on: target, keepsPace: keepsPace)
        self.profile = profile
        let header = target.isEthernet ? UInt32(14) : 0
        func tree(_ direction: Direction, exceptions: [TrafficFilter]) throws(InterfaceLinkError) -> InterfaceTree {
            let plan = try Self.plan(profile, profile.conditions, direction, on: target)
            return InterfaceTree(
                plan, exceptions: exceptions, largest: UInt32(clamping: UInt64(target.mtu) + UInt64(header)))
        }
        let bypass = ExceptionFilters.all(
            exceptions, .uplink, below: InterfaceTree.root, to: InterfaceTree.root)
        uplink = try tree(.uplink, exceptions: bypass)
        // What comes in and is excepted does not get to the ifb.
        downlink = try tree(.downlink, exceptions: [])
    }

    /// The same at another time of the profile.
    func at(_ conditions: LinkConditions) throws(InterfaceLinkError) -> InterfacePlan {
        var plan = self
        plan.uplink = uplink.with(try Self.plan(profile, conditions, .uplink, on: target))
        plan.downlink = downlink.with(try Self.plan(profile, conditions, .downlink, on: target))
        return plan
    }

    /// The filters on what comes in, the one that sends all else to the `ifb` last.
    func incoming(to ifb: UInt32) -> [TrafficFilter] {
        guard !downlink.isEmpty else { return [] }
        let all = TrafficFilter(
            parent: Self.ingress, priority: ExceptionFilters.Priority.redirection, .all, matches: [.any],
            .redirect(ifb))
        // A class that there is none of: what matches goes on as it came.
        let pass = TrafficHandle(Self.ingress.major, 1)
        return ExceptionFilters.all(exceptions, .downlink, below: Self.ingress, to: pass) + [all]
    }

    static let ingressQueue = TrafficQueue(.ingress, handle: ingress, parent: .ingress)

    /// Whether there is the same, with other numbers; of 24 bits, as there is little room where it is kept.
    var form: UInt64 {
        FNV.digest(["up"] + uplink.form + ["down"] + downlink.form + incoming(to: 0).map(\.description)) & 0xff_ffff
    }

    var directions: Set<Direction> {
        Set([(Direction.uplink, uplink), (.downlink, downlink)].filter { !$0.1.isEmpty }.map(\.0))
    }

    private static func plan(
        _ profile: Profile, _ conditions: LinkConditions, _ direction: Direction, on target: InterfaceState
    ) throws(InterfaceLinkError) -> EgressPlan {
        let layout = QueueLayout(direction, profile)
        if layout.isEmpty { return EgressPlan() }
        do {
            return try EgressPlan(conditions, direction, layout: layout, headerBytes: target.isEthernet ? 14 : 0)
        } catch {
            throw InterfaceLinkError(.request, "\(error)")
        }
    }
}

/// FNV-1a, by which something is known again; nothing is secured by it.
enum FNV {
    static func digest(_ lines: [String]) -> UInt64 {
        lines.joined(separator: "\n").utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
