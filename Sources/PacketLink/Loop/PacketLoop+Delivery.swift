internal import LinkModel

extension PacketLoop {
    /// The next packet for one end that is due by `now`; nil if there is none.
    mutating func next(to end: End, at now: Instant) -> Departure? {
        let direction = end.peer.sends
        if let slot = ready[direction].popFirst(in: &slab) { return Departure(slot: slot, at: now) }
        while inPipe[direction] > 0, let delivery = pipes[direction].poll(at: now) {
            let slot = Int32(delivery.token)
            inPipe[direction] -= 1
            if direction == .uplink, conditions.offline != nil, isTurnedAway(slot, at: delivery.at) {
                slab.release(slot)
                // Its answer may already be due, if nothing delays it.
                continue
            }
            var departure = Departure(slot: slot, at: delivery.at)
            if let share = delivery.corruptAt { corrupt(&departure, at: share) }
            return departure
        }
        return nil
    }

    /// The bytes of a packet to write.
    func bytes(_ departure: Departure) -> UnsafeBufferPointer<UInt8> { unsafe slab.bytes(departure.slot) }

    /// Notes that a packet was written, and releases its slot.
    mutating func finish(_ departure: Departure, to end: End, at now: Instant) {
        let direction = end.peer.sends
        let note = slab[departure.slot]
        record(departure.slot, at: end, isInbound: true, time: now)
        restore(departure)
        totals[direction].wire += Int64(note.length)
        hasTraffic = true
        if reportAt == nil { reportAt = now + Self.reportTime }
        if let flow = flow(of: note) {
            deliver(note, flow, direction, isWhole: departure.flippedByte < 0, at: departure.at)
        }
        slab.release(departure.slot)
    }

    /// Drops a packet that the device refused with an error number.
    mutating func refuse(_ departure: Departure, to end: End, code: Int32, at now: Instant) {
        if recorder != nil {
            let comment = DropReason.device(code).comment(nil)
            record(departure.slot, at: end, isInbound: true, time: now, comment: comment)
        }
        restore(departure)
        slab.release(departure.slot)
    }

    private mutating func deliver(
        _ note: PacketNote, _ slot: Int32, _ direction: Direction, isWhole: Bool, at now: Instant
    ) {
        // The receiver's kernel drops a corrupt packet.
        if isWhole, note.payloadCount > 0 {
            let isFirst = table.flows[slot, direction].payloadBytes == 0
            let more: Int64
            if table.flows[slot].key.family != .tcp {
                more = table.flows[slot, direction].deliver(count: Int64(note.payloadCount))
            } else if note.end >= Int64(note.payloadCount) {
                more = table.flows[slot, direction].deliver(note.end - Int64(note.payloadCount)..<note.end)
            } else {
                more = 0
            }
            count(more, slot, direction)
            if isFirst { report(slot, direction, at: now) }
        }
        if note.acknowledged >= 0, isWhole {
            count(
                table.flows[slot, direction.opposite].deliver(acknowledged: note.acknowledged), slot, direction.opposite
            )
            table.flows[slot, direction.opposite].noteAcknowledged(note.acknowledged)
            if table.flows[slot, .downlink].isFinished, table.flows[slot, .uplink].isFinished {
                end(slot, .finished, at: now)
            }
        }
        if note.isReset, isWhole { end(slot, direction == .uplink ? .clientReset : .hostReset, at: now) }
    }

    /// Counts further payload bytes that a receiver has; the link's totals leave out name lookups.
    private mutating func count(_ more: Int64, _ slot: Int32, _ direction: Direction) {
        guard more > 0 else { return }
        if !table.flows[slot].key.isNameLookup { totals[direction].payload += more }
        markDirty(slot)
    }

    private mutating func markDirty(_ slot: Int32) {
        guard !table.flows[slot].isDirty else { return }
        table.flows[slot].isDirty = true
        dirty.append(slot)
    }

    /// Emits that a connection has ended, once.
    mutating func end(_ slot: Int32, _ cause: CloseCause, at now: Instant) {
        guard !table.flows[slot].isClosed else { return }
        table.flows[slot].isClosed = true
        report(slot, at: now)
        let (downlink, uplink) = (table.flows[slot, .downlink].payloadBytes, table.flows[slot, .uplink].payloadBytes)
        emit(.closed(downlink: downlink, uplink: uplink, cause: cause), flow: table.flows[slot].ordinal, at: now)
    }

    /// Emits that a flow has ended because another one replaced it.
    mutating func close(_ flow: FlowTable.Replaced, at now: Instant) {
        guard !flow.isClosed else { return }
        emit(
            .closed(downlink: flow.downlink, uplink: flow.uplink, cause: .replaced), flow: flow.ordinal, at: now)
    }

    /// Flips one bit of the payload, or behind the IP header if there is no payload.
    ///
    /// `share`: the place of the bit, from 0 to 1. Checksums are not corrected.
    private mutating func corrupt(_ departure: inout Departure, at share: Double) {
        let note = slab[departure.slot]
        var range = Int(note.payloadOffset)..<Int(note.payloadOffset + note.payloadCount)
        if range.isEmpty {
            let header = unsafe PacketHeader(slab.bytes(departure.slot).span)
            range = min(header?.transportOffset ?? 1, Int(note.length))..<Int(note.length)
        }
        guard !range.isEmpty else { return }
        let bit = min(Int(share * Double(range.count * 8)), range.count * 8 - 1)
        departure.flippedByte = range.lowerBound + bit / 8
        departure.flippedBit = 1 << UInt8(bit % 8)
        restore(departure)
    }

    /// Flips the bit back, as each of two copies is corrupted separately.
    private mutating func restore(_ departure: Departure) {
        guard departure.flippedByte >= 0 else { return }
        unsafe slab.room(departure.slot)[departure.flippedByte] ^= departure.flippedBit
    }
}

/// A packet to write now.
struct Departure {
    let slot: Int32
    /// The exact time at which it was due.
    let at: Instant
    /// The byte that differs from what was sent, and the bit in it; −1 if none does.
    var flippedByte = -1
    var flippedBit: UInt8 = 0
}

/// The reason why a packet was not delivered.
enum DropReason {
    case loss
    case cut
    case queue
    case offline(OfflineKind)
    case overflow
    case tooBig
    case device(Int32)

    /// The comment for a capture, with the rule and the reason.
    func comment(_ line: String?) -> String {
        switch self {
        case .loss: "dropped: rule loss\(line.map { ", \($0)" } ?? "")"
        case .cut: "dropped: rule cut\(line.map { ", \($0)" } ?? "")"
        case .queue: "dropped: rule queue, no room in front of the rate"
        case .offline(let kind): "dropped: rule offline, \(kind.rawValue)"
        case .overflow: "dropped: rule memory, the link has no room for more packets"
        case .tooBig: "dropped: rule mtu, larger than the link's MTU"
        case .device(let code): "dropped: the receiving device refused it, error \(code)"
        }
    }
}
