package import LinkModel
import Netlink

/// The state of a part of a shape's traffic: that of a rule, or all traffic without one.
package struct TrafficState: Sendable {
    /// The counters of each direction since its queues were made; a direction without queues has no entry.
    package internal(set) var counters: [Direction: EgressCounters] = [:]
    /// The present settings of each direction.
    package internal(set) var readings: [Direction: ShapeReading] = [:]

    package init() {}
}

extension InterfaceLinks {
    /// The state of a shape, in the directions of profiles: of traffic without a rule, and of each of its rules.
    package func state(
        of found: Found
    ) throws(InterfaceLinkError) -> (others: TrafficState, rules: [(note: RuleNote, state: TrafficState)]) {
        var others = TrafficState()
        var rules = (found.rules ?? []).map { (note: $0, state: TrafficState()) }
        try asking { () throws(NetlinkError) in
            for (own, interface) in [(Direction.uplink, found.target), (.downlink, found.ifb)] {
                guard let interface = interface?.interface else { continue }
                let direction = found.mark?.leadsToDevices == true ? own.opposite : own
                let queues = try socket.queues(of: interface)
                guard let root = Self.ownRoot(in: queues, hasIntermediate: found.ifb != nil) else { continue }
                // One by one: older kernels leave out the classes of queues that are in another queue's class.
                var classes: [InstalledTraffic] = []
                for queue in queues where queue.kind == "htb" {
                    classes += try socket.classes(of: interface, below: TrafficHandle(queue.handle.major, 0))
                }
                func tell(_ state: inout TrafficState, _ slot: RuleSlot?) {
                    let own = queues.filter { RuleSlot.having(queue: $0.handle.major) == slot }
                    guard
                        let counters = EgressCounters(
                            own, below: slot.map { TrafficHandle($0.queues.lowerBound) } ?? root.handle)
                    else { return }
                    state.counters[direction] = counters
                    state.readings[direction] = ShapeReading(
                        shape: own, classes: classes.filter { RuleSlot.having(queue: $0.handle.major) == slot })
                }
                tell(&others, nil)
                for index in rules.indices { tell(&rules[index].state, rules[index].note.slot) }
            }
        }
        return (others, rules)
    }
}

extension EgressCounters {
    /// Adds up the counters of the queues of some traffic; nil if there are none.
    ///
    /// The queues are in the bucket `outer`, or in a bucket inside the root `outer`.
    init?(_ queues: [InstalledTraffic], below outer: TrafficHandle) {
        // A bucket is around the plan. Around that, there is a hierarchy if there are exceptions or rules.
        let isBucket = queues.contains { $0.handle == outer && $0.kind == "tbf" }
        let bucket = isBucket ? outer : queues.first { $0.parent.major == outer.major && $0.kind == "tbf" }?.handle
        guard let bucket, let first = queues.first(where: { $0.parent.major == bucket.major }) else { return nil }
        self.init(queues, first: first)
    }
}
