internal import DequeModule

/// Faults of packets: random ones, or those of a schedule.
extension PacketPipe {
    /// How a fault removes a packet before the queue; nil if none does.
    mutating func removal(of packet: Packet, at now: Instant) -> PacketOffer? {
        if player != nil { return listedRemoval(of: packet, at: now) }
        guard let loss = conditions.loss, !packet.isSpared else { return nil }
        let process = LossProcess(loss: loss, random: random)
        guard process.isLost(packet, direction: direction) else { return nil }
        guard recordsDecisions else { return .lost }
        let slots = packet.kind == .data ? process.lostSlots(of: packet, direction: direction) : []
        if slots.isEmpty { record(.drop, packet.bytes, of: packet, at: now) }
        for slot in slots {
            let start = slot * LossProcess.slotBytes
            record(.drop, start..<start + LossProcess.slotBytes, of: packet, at: now)
        }
        return .lost
    }

    private mutating func listedRemoval(of packet: Packet, at now: Instant) -> PacketOffer? {
        var removal: PacketOffer?
        for index in player?.matches ?? [] {
            switch player?.faults[index].effect {
            case .drop where removal != .cut: removal = .lost
            case .cut: removal = .cut
            default: break
            }
        }
        guard let removal else { return nil }
        let effect: PacketEffect = removal == .cut ? .cut : .drop
        play(where: { $0 == effect }, of: packet, at: now)
        return removal
    }

    /// The queue's item for a packet, with the faults that it meets, and how many copies of it to queue.
    mutating func item(for packet: Packet, at now: Instant) -> (FairQueue.Item, copies: Int) {
        let subject = packet.subject(direction)
        var item = FairQueue.Item(
            token: packet.token, size: packet.size, ready: now,
            jitter: conditions.jitter == nil ? 0 : random.unit(.jitter, subject), skipsDelay: false, lateness: .zero)
        var copies = 1
        guard player == nil else {
            for index in player?.matches ?? [] {
                switch player?.faults[index].effect {
                case .duplicate: copies = 2
                case .corrupt(let share): item.corruptAt = share
                case .reorder: item.skipsDelay = true
                case .delay(let time): item.lateness += time
                case .stall(let time): stalls[packet.stream] = max(stalls[packet.stream] ?? now, now + time)
                case .drop, .cut, nil: break
                }
            }
            play(where: { $0 != .drop && $0 != .cut }, of: packet, at: now)
            if let end = stalls[packet.stream] {
                if end > now { item.heldUntil = end } else { stalls[packet.stream] = nil }
            }
            return (item, copies)
        }
        if packet.isSpared { return (item, copies) }
        if random.happens(conditions.duplicate, .duplicate, subject) {
            copies = 2
            record(.duplicate, packet.bytes, of: packet, at: now)
        }
        if random.happens(conditions.corrupt, .corrupt, subject) {
            var place = subject
            place.transmission += 1 << 20
            let share = random.unit(.corrupt, place)
            item.corruptAt = share
            record(.corrupt(at: share), packet.bytes, of: packet, at: now)
        }
        if random.happens(conditions.reorder, .reorder, subject) {
            item.skipsDelay = true
            record(.reorder, packet.bytes, of: packet, at: now)
        }
        return (item, copies)
    }

    /// Marks the matching faults that have such an effect as met, and records them.
    private mutating func play(where hasEffect: (PacketEffect) -> Bool, of packet: Packet, at now: Instant) {
        // The loop holds no copy of the player while it changes it: that would copy all of its arrays.
        for position in 0..<(player?.matches.count ?? 0) {
            guard let index = player?.matches[position], let fault = player?.faults[index], hasEffect(fault.effect)
            else { continue }
            player?.meet(index)
            record(fault.effect, fault.bytes(of: packet), of: packet, at: now)
        }
    }

    private mutating func record(_ effect: PacketEffect, _ bytes: Range<Int64>, of packet: Packet, at now: Instant) {
        guard recordsDecisions else { return }
        decisions.append(
            PacketDecision(
                at: now, stream: packet.stream, kind: packet.kind, bytes: bytes, transmission: packet.transmission,
                effect: effect))
    }
}
