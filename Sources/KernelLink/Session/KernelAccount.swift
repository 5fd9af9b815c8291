import LinkModel

/// The counters of a router's queues, divided by the conditions that held meanwhile.
struct KernelAccount {
    private var counters = LinkCounters()
    private var last = KernelLinkCounters()

    /// Adds what was counted while `conditions` held.
    mutating func note(_ counted: KernelLinkCounters, under conditions: LinkConditions) {
        counters.downlink.note(counted.downlink, since: last.downlink, under: conditions, .downlink)
        counters.uplink.note(counted.uplink, since: last.uplink, under: conditions, .uplink)
        last = counted
    }

    /// What has crossed the link so far; `seen` is what left it, which is used for a direction without queues.
    func counters(seen: LinkCounters) -> LinkCounters {
        var sum = counters
        sum.downlinkPayload = seen.downlinkPayload
        sum.uplinkPayload = seen.uplinkPayload
        for (way, queued) in [
            (\LinkCounters.downlink, last.downlink.queuedPackets), (\LinkCounters.uplink, last.uplink.queuedPackets),
        ] {
            if sum[keyPath: way].sentPackets == 0 {
                sum[keyPath: way].sentPackets = seen[keyPath: way].sentPackets
                sum[keyPath: way].wireBytes = seen[keyPath: way].wireBytes
            }
            sum[keyPath: way].deliveredPackets = sum[keyPath: way].sentPackets
            let direction = sum[keyPath: way]
            sum[keyPath: way].offeredPackets =
                direction.sentPackets + direction.lostPackets + direction.droppedPackets + direction.offlinePackets
                + Int(queued)
        }
        return sum
    }
}

extension DirectionCounters {
    fileprivate mutating func note(
        _ counted: EgressCounters, since last: EgressCounters, under conditions: LinkConditions, _ direction: Direction
    ) {
        sentPackets = Int(counted.sentPackets)
        wireBytes = Int64(counted.sentBytes)
        // Queues are read one after the other, so that a difference may be negative for a moment.
        let lost = Int(Int32(truncatingIfNeeded: counted.lostPackets &- last.lostPackets))
        let dropped = Int(Int32(truncatingIfNeeded: counted.droppedPackets &- last.droppedPackets))
        if conditions.offline == .silent {
            offlinePackets += lost + dropped
        } else if conditions[direction].loss?.mean == 1 {
            // Without netem, a queue without room loses the packets.
            lostPackets += lost + dropped
        } else {
            lostPackets += lost
            droppedPackets += dropped
        }
    }
}
