package import LinkModel
import Netlink

/// What is told of some of a shape's traffic: that of a rule, or all else.
package struct TrafficState: Sendable {
    /// What each direction has counted since its queues were made; nil where there is nothing of it.
    package internal(set) var counters: [Direction: EgressCounters] = [:]
    /// What each direction is set to now.
    package internal(set) var readings: [Direction: ShapeReading] = [:]

    package init() {}
}

extension InterfaceLinks {
    /// What is told of a shape, in the directions of profiles: of what no rule is for, and of each of its rules.
    package func state(
        of found: Found
    ) throws(InterfaceLinkError) -> (others: TrafficState, rules: [(note: RuleNote, state: TrafficState)]) {
        var others = TrafficState()
        var rules = (found.rules ?? []).map { (note: $0, state: TrafficState()) }
        do {
            for (own, interface) in [(Direction.uplink, found.target), (.downlink, found.ifb)] {
                guard let interface = interface?.interface else { continue }
                let direction = found.mark?.leadsToDevices == true ? own.opposite : own
                let queues = try socket.queues(of: interface)
                guard let root = Self.ownRoot(in: queues, hasIntermediate: found.ifb != nil) else { continue }
                // One by one: older kernels leave out classes of queues in other ones' classes.
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
        } catch {
            throw InterfaceLinkError(error)
        }
        return (others, rules)
    }
}

extension EgressCounters {
    /// Puts together what the queues of some traffic say, which are in the bucket of a number, or in one in a root of that number with
    /// two ways; nil where there is none.
    init?(_ queues: [InstalledTraffic], below outer: TrafficHandle) {
        // Around the plan there is a bucket, and around that, where something is excepted, a queue with two ways.
        let isBucket = queues.contains { $0.handle == outer && $0.kind == "tbf" }
        let bucket = isBucket ? outer : queues.first { $0.parent.major == outer.major && $0.kind == "tbf" }?.handle
        guard let bucket, let first = queues.first(where: { $0.parent.major == bucket.major }) else { return nil }
        self.init()
        (sentPackets, sentBytes) = (first.counters.packets, first.counters.bytes)
        (queuedPackets, queuedBytes) = (first.counters.queuedPackets, first.counters.queuedBytes)
        func drops(_ kinds: Set<String>) -> UInt32 {
            queues.filter { kinds.contains($0.kind) && $0.handle.number != 0 }.reduce(0) { $0 &+ $1.counters.drops }
        }
        let queueDrops = drops(["bfifo", "pfifo"])
        let hasNetem = queues.contains { $0.kind == "netem" }
        droppedPackets = UInt64(queueDrops)
        lostPackets = hasNetem ? Self.lost(drops(["netem"]), queueDrops) : 0
    }
}
