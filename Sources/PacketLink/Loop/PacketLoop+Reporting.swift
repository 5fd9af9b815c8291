internal import LinkModel

extension PacketLoop {
    /// Emits what was delivered, and records a sample of the meter.
    mutating func report(at now: Instant) {
        sample(at: now)
        for slot in dirty { report(slot, at: now) }
        dirty.removeAll(keepingCapacity: true)
        reportAt = hasTraffic ? now + Self.reportTime : nil
        hasTraffic = false
    }

    /// Emits what has been delivered of one flow.
    mutating func report(_ slot: Int32, at now: Instant) {
        guard table.flows[slot].isDirty else { return }
        table.flows[slot].isDirty = false
        for direction in Direction.allCases { report(slot, direction, at: now) }
    }

    /// Emits the delivered bytes of one direction, if there are more than in the last event.
    mutating func report(_ slot: Int32, _ direction: Direction, at now: Instant) {
        let delivered = table.flows[slot, direction].payloadBytes
        guard delivered > table.flows[slot, direction].reportedPayload else { return }
        table.flows[slot, direction].reportedPayload = delivered
        emit(.delivered(direction: direction, total: delivered), flow: table.flows[slot].ordinal, at: now)
    }

    /// Records a sample of what has been delivered.
    mutating func sample(at now: Instant) {
        meter.record(totals, at: now)
    }

    /// The decisions about packets so far.
    func record() -> FaultRecord {
        var record = decided
        record.unmet = pipes[.downlink].unmetFaults + pipes[.uplink].unmetFaults
        return record
    }

    /// The link's counters so far.
    func summary() -> PacketLinkCounters {
        var summary = counters
        for direction in Direction.allCases {
            summary.link[direction] = pipes[direction].counters
            summary.link[direction].payload = totals[direction].payload
        }
        summary.wire = totals.map(\.wire)
        summary.flows = table.count
        summary.known = table.slots.map { slot in
            let (flow, downlink, uplink) = (table.flows[slot], table.flows[slot, .downlink], table.flows[slot, .uplink])
            return PacketLinkCounters.Flow(
                ordinal: flow.ordinal, name: flow.name, key: flow.key, isClosed: flow.isClosed,
                downlink: downlink.payloadBytes, uplink: uplink.payloadBytes)
        }
        return summary
    }
}
