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
        let own = plan.queues.map { queue in
            installed.first { $0.handle == queue.handle && $0.kind == queue.discipline.kind }
        }
        self.init(own.compactMap(\.self), first: own.first ?? nil)
    }

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

    /// Adds up the counters of queues, of which all traffic passes `first`.
    init(_ queues: [InstalledTraffic], first: InstalledTraffic?) {
        if let counters = first?.counters {
            (sentPackets, sentBytes) = (counters.packets, counters.bytes)
            (queuedPackets, queuedBytes) = (counters.queuedPackets, counters.queuedBytes)
        }
        func drops(_ kinds: Set<String>) -> UInt32 {
            queues.filter { kinds.contains($0.kind) && $0.handle.number != 0 }.reduce(0) { $0 &+ $1.counters.drops }
        }
        let queueDrops = drops(["bfifo", "pfifo"])
        let hasNetem = queues.contains { $0.kind == "netem" }
        droppedPackets = UInt64(queueDrops)
        lostPackets = hasNetem ? Self.lost(drops(["netem"]), queueDrops) : 0
    }

    /// The packets that a netem has lost: its drops, without those of its queue, which it counts as well.
    ///
    /// The queue is read a moment later, and may have dropped more by then; the result is never negative.
    static func lost(_ netemDrops: UInt32, _ queueDrops: UInt32) -> UInt64 {
        UInt64(max(0, Int32(bitPattern: netemDrops &- queueDrops)))
    }
}

/// What both directions of a link have counted.
package typealias KernelLinkCounters = PerDirection<EgressCounters>
