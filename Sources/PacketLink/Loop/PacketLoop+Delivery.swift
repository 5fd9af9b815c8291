internal import LinkModel

extension PacketLoop {
    /// The next packet for one end that is due by `now`; nil when there is none.
    mutating func next(to end: End, at now: Instant) -> Departure? {
        let direction = end.peer.sends
        if let slot = ready[direction].popFirst(in: &slab) { return Departure(slot: slot, at: now) }
        while inPipe[direction] > 0, let delivery = pipes[direction].poll(at: now) {
            let slot = Int32(delivery.token)
            inPipe[direction] -= 1
            if direction == .uplink, conditions.offline != nil, isTurnedAway(slot, at: delivery.at) {
                slab.release(slot)
                // An answer without anything in its way is due by now.
                continue
            }
            var departure = Departure(slot: slot, at: delivery.at)
            if let share = delivery.corruptAt { corrupt(&departure, at: share) }
            return departure
        }
        return nil
    }

    /// The bytes of a packet that is to be written.
    func bytes(_ departure: Departure) -> UnsafeBufferPointer<UInt8> { unsafe slab.bytes(departure.slot) }

    /// Notes that a packet was written, and gives its memory back.
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

    /// Gives a packet up that the device did not take.
    mutating func refuse(_ departure: Departure, to end: End, code: Int32, at now: Instant) {
        counters.refusedPackets += 1
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
        // What is corrupt the receiver's kernel does not take.
        if isWhole, note.payloadCount > 0 {
            let isFirst = table[slot, direction].payloadBytes == 0
            let more: Int64
            if table[slot].key.family != .tcp {
                more = table[slot, direction].deliver(count: Int64(note.payloadCount))
            } else if note.end >= Int64(note.payloadCount) {
                more = table[slot, direction].deliver(note.end - Int64(note.payloadCount)..<note.end)
            } else {
                more = 0
            }
            count(more, slot, direction)
            if isFirst { report(slot, direction, at: now) }
        }
        if note.acknowledged >= 0, isWhole {
            count(table[slot, direction.opposite].deliver(acknowledged: note.acknowledged), slot, direction.opposite)
            table[slot, direction.opposite].noteAcknowledged(note.acknowledged)
            if table[slot, .downlink].isFinished, table[slot, .uplink].isFinished { end(slot, .finished, at: now) }
        }
        if note.isReset, isWhole { end(slot, direction == .uplink ? .clientReset : .hostReset, at: now) }
    }

    /// Notes payload that a receiver has more than before; lookups of names are no part of what a link has carried in all.
    private mutating func count(_ more: Int64, _ slot: Int32, _ direction: Direction) {
        guard more > 0 else { return }
        if !table[slot].key.isNameLookup { totals[direction].payload += more }
        markDirty(slot)
    }

    private mutating func markDirty(_ slot: Int32) {
        guard !table[slot].isDirty else { return }
        table[slot].isDirty = true
        dirty.append(slot)
    }

    /// Tells that a connection is over, once.
    mutating func end(_ slot: Int32, _ cause: CloseCause, at now: Instant) {
        guard !table[slot].isClosed else { return }
        table[slot].isClosed = true
        report(slot, at: now)
        let (downlink, uplink) = (table[slot, .downlink].payloadBytes, table[slot, .uplink].payloadBytes)
        emit(.closed(downlink: downlink, uplink: uplink, cause: cause), flow: table[slot].ordinal, at: now)
    }

    /// Tells that a flow is over which is no longer known.
    mutating func close(_ flow: FlowTable.Replaced, at now: Instant) {
        guard !flow.isClosed else { return }
        emit(
            .closed(downlink: flow.downlink, uplink: flow.uplink, cause: .replaced), flow: flow.ordinal, at: now)
    }

    /// Flips one bit of the payload; of a packet without payload, one behind its IP header.
    ///
    /// No checksum is mended.
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

    /// Flips the bit again: of two copies each is corrupt by itself.
    private mutating func restore(_ departure: Departure) {
        guard departure.flippedByte >= 0 else { return }
        unsafe slab.room(departure.slot)[departure.flippedByte] ^= departure.flippedBit
    }
}

/// A packet that is to be written now.
struct Departure {
    let slot: Int32
    /// The exact moment at which it was due.
    let at: Instant
    /// Which byte differs from what was sent, and in which bit; −1: none.
    var flippedByte = -1
    var flippedBit: UInt8 = 0
}

/// Why a packet did not come through.
enum DropReason {
    case loss
    case cut
    case queue
    case offline(OfflineKind)
    case overflow
    case tooBig
    case device(Int32)

    /// Names the rule and the reason, for a capture.
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
