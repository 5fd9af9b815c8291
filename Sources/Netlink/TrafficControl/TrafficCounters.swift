import CNetlink

/// What has gone through a queue or a class, and what waits in it.
package struct TrafficCounters: Hashable, Sendable {
    /// Sent on; counted as the queue counts packets, see ``TrafficQueue/overhead``.
    package var bytes: UInt64 = 0
    package var packets: UInt64 = 0
    /// Dropped for lack of room, or at random; the kernel begins again after 2³² − 1.
    package var drops: UInt32 = 0
    /// How often something had to wait for its rate.
    package var waits: UInt32 = 0
    package var queuedPackets: UInt32 = 0
    package var queuedBytes: UInt32 = 0

    package init() {}

    /// Reads `TCA_STATS2`; what is not there stays 0.
    init(_ statistics: ReceivedAttributes) {
        if let basic = statistics[Int(TCA_STATS_BASIC)] {
            bytes = basic.integer(at: 0) ?? 0
            packets = UInt64(basic.integer(at: 8, as: UInt32.self) ?? 0)
        }
        // In 64 bits if 32 are too few.
        if let long = statistics[Int(TCA_STATS_PKT64)]?.integer(as: UInt64.self) { packets = long }
        guard let queue = statistics[Int(TCA_STATS_QUEUE)] else { return }
        queuedPackets = queue.integer(at: 0) ?? 0
        queuedBytes = queue.integer(at: 4) ?? 0
        drops = queue.integer(at: 8) ?? 0
        waits = queue.integer(at: 16) ?? 0
    }
}
