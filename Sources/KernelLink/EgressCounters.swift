package import LinkModel
import Netlink

/// What an egress has counted since its queues were made.
package struct EgressCounters: Hashable, Sendable {
    /// Packets that have left, and bytes of IP in them.
    package var sentPackets: UInt64 = 0
    package var sentBytes: UInt64 = 0
    /// Lost by netem at random, or because it held too many delayed packets, which its limit makes unlikely.
    package var lostPackets: UInt64 = 0
    /// Dropped because the queue was full, or the link silent.
    package var droppedPackets: UInt64 = 0
    /// Packets and bytes that are under way or wait now.
    package var queuedPackets: UInt32 = 0
    package var queuedBytes: UInt32 = 0

    package init() {}

    /// Adds up the counters of a plan's queues.
    init(_ plan: EgressPlan, _ installed: [InstalledTraffic]) {
        func counters(_ queue: TrafficQueue) -> TrafficCounters? {
            installed.first { $0.handle == queue.handle && $0.kind == queue.discipline.kind }?.counters
        }
        if let root = plan.queues.first.flatMap(counters) {
            (sentPackets, sentBytes) = (root.packets, root.bytes)
            (queuedPackets, queuedBytes) = (root.queuedPackets, root.queuedBytes)
        }
        var netemDrops: UInt32 = 0
        var queueDrops: UInt32 = 0
        for queue in plan.queues {
            guard let counters = counters(queue) else { continue }
            switch queue.discipline {
            case .netem: netemDrops &+= counters.drops
            case .byteFIFO, .packetFIFO: queueDrops &+= counters.drops
            default: break
            }
        }
        droppedPackets = UInt64(queueDrops)
        let hasNetem = plan.queues.contains { if case .netem = $0.discipline { true } else { false } }
        lostPackets = hasNetem ? Self.lost(netemDrops, queueDrops) : 0
    }

    /// The packets that a netem has lost: its drops, without those of its queue, which it counts as well.
    ///
    /// The queue is read a moment later, and may have dropped more by then; the result is never negative.
    static func lost(_ netemDrops: UInt32, _ queueDrops: UInt32) -> UInt64 {
        UInt64(max(0, Int32(bitPattern: netemDrops &- queueDrops)))
    }
}

/// What both directions of a link have counted.
package struct KernelLinkCounters: Hashable, Sendable {
    package var downlink = EgressCounters()
    package var uplink = EgressCounters()
    /// Goes up by one with each change of the conditions.
    package var generation = 0

    package init() {}

    package subscript(direction: Direction) -> EgressCounters {
        get { direction == .downlink ? downlink : uplink }
        set {
            switch direction {
            case .downlink: downlink = newValue
            case .uplink: uplink = newValue
            }
        }
    }
}
