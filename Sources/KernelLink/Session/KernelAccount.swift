import LinkModel

/// The counters of a router's queues, divided by the conditions that held meanwhile.
struct KernelAccount {
    private var counters = LinkCounters(both: DirectionCounters())
    private var last = KernelLinkCounters(both: EgressCounters())

    /// Adds what was counted while `conditions` held.
    mutating func note(_ counted: KernelLinkCounters, under conditions: LinkConditions) {
        for direction in Direction.allCases {
            counters[direction].note(counted[direction], since: last[direction], under: conditions, direction)
        }
        last = counted
    }

    /// What has crossed the link so far; `seen` is what left it, which is used for a direction without queues.
    func counters(seen: LinkCounters) -> LinkCounters {
        var sum = counters
        for direction in Direction.allCases {
            sum[direction].payload = seen[direction].payload
            if sum[direction].sentPackets == 0 {
                sum[direction].sentPackets = seen[direction].sentPackets
                sum[direction].wireBytes = seen[direction].wireBytes
            }
            let own = sum[direction]
            sum[direction].deliveredPackets = own.sentPackets
            sum[direction].offeredPackets =
                own.sentPackets + own.lostPackets + own.droppedPackets + own.offlinePackets
                + Int(last[direction].queuedPackets)
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
