internal import DequeModule

extension StreamLink {
    /// Sends what the sender at one end may send now.
    mutating func pump(_ slot: Int, _ end: End, at now: Instant) {
        guard streams[slot][end].isUp, streams[slot].phase != .dead else { return }
        while let segment = streams[slot][end].sender.nextSegment(at: now) {
            transmit(segment, slot: slot, from: end, at: now)
        }
        watch(slot, end)
    }

    /// Handles a packet that has arrived.
    mutating func arrive(_ delivery: PacketDelivery, _ direction: Direction) {
        guard let entry = transit.remove(delivery.token), delivery.corruptAt == nil, let slot = slot(of: entry.stream)
        else { return }
        if arriveHandshake(entry, slot: slot, at: delivery.at) { return }
        switch entry.kind {
        case .data:
            arriveData(entry, slot: slot, at: delivery.at)
        case .acknowledgement(let ordinal):
            arriveAcknowledgement(slot, to: entry.from.peer, ordinal: ordinal, at: delivery.at)
        case .reset:
            arriveReset(slot, at: entry.from.peer, now: delivery.at)
        case .query, .answer, .synchronize, .synchronizeAcknowledge:
            break
        }
    }

    /// Handles a timer of a sender, or of a receiver that delays an acknowledgement.
    mutating func transferTimerFired(_ kind: TimerKind, slot: Int, at now: Instant) {
        switch kind {
        case .retransmission(let end):
            guard let deadline = streams[slot][end].sender.deadline, deadline <= now else { break }
            if let probe = streams[slot][end].sender.timerFired(at: now) {
                transmit(probe, slot: slot, from: end, at: now)
            }
            pump(slot, end, at: now)
        case .reordering(let end):
            guard let deadline = streams[slot][end].sender.reorderDeadline, deadline <= now else { break }
            streams[slot][end].sender.reorderingTimerFired(at: now)
            pump(slot, end, at: now)
        case .acknowledgement(let end):
            guard let deadline = streams[slot][end].receiver.acknowledgementDeadline, deadline <= now else { break }
            acknowledge(slot, from: end.peer, at: now)
        case .handshake, .answer:
            break
        }
        for end in End.allCases { watch(slot, end) }
    }

    /// Passes a packet to the pipe of its sender's direction.
    mutating func offer(
        _ kind: Transit.Kind,
        slot: Int,
        from end: End,
        size: Int,
        bytes: Range<Int64> = 0..<0,
        transmission: Int = 1,
        at now: Instant
    ) {
        let direction = end.sends
        let token = transit.insert(Transit.Entry(stream: streams[slot].id, kind: kind, from: end))
        let place = kind.place(bytes: bytes, transmission: transmission, attempts: streams[slot].attempts)
        var packet = Packet(
            token: token, size: size, flow: slot, stream: streams[slot].hash, kind: place.kind, bytes: place.bytes,
            transmission: place.transmission)
        packet.alias = streams[slot].aliasHash
        if case .reset = kind { packet.isSpared = true }
        switch pipes[direction].offer(packet, at: now) {
        case .accepted: break
        case .lost, .cut, .offline, .full: transit.remove(token)
        }
        while let decision = pipes[direction].pollDecision() {
            events.append(.decision(Decision(decision, key: streams[slot].key, direction: direction)))
        }
        while let token = pipes[direction].pollEvicted() { transit.remove(token) }
    }

    private mutating func transmit(_ segment: Segment, slot: Int, from end: End, at now: Instant) {
        offer(
            .data(offset: segment.bytes.lowerBound, isFinish: segment.isFinish, transmission: segment.transmissions),
            slot: slot,
            from: end,
            size: segment.count + parameters.headerBytes,
            bytes: segment.bytes,
            transmission: segment.transmissions,
            at: now
        )
    }

    private mutating func arriveData(_ entry: Transit.Entry, slot: Int, at now: Instant) {
        guard case .data(let offset, let isFinish, let transmission) = entry.kind else { return }
        let end = entry.from
        switch end {
        case .host: establish(slot, at: now)
        case .client: streams[slot].timeHandshakeAtHost()
        }
        guard streams[slot].phase != .dead else { return }
        let outcome = streams[slot][end].arrive(
            offset: offset, isFinish: isFinish, transmission: transmission, at: now, parameters: parameters)
        if outcome.delivered > 0 {
            deliver(outcome.delivered, to: end.peer, slot: slot, at: now)
            guard streams[slot].phase != .dead else { return }
        }
        if outcome.finished { events.append(.finished(streams[slot].id, end: end.peer, at: now)) }
        if outcome.acknowledgesNow { acknowledge(slot, from: end.peer, at: now) }
        watch(slot, end)
    }

    /// Sends an acknowledgement from `end` of all that has arrived there.
    private mutating func acknowledge(_ slot: Int, from end: End, at now: Instant) {
        let leaving = streams[slot][end.peer].receiver.acknowledge()
        offer(
            .acknowledgement(ordinal: leaving.ordinal), slot: slot, from: end, size: parameters.headerBytes,
            transmission: leaving.repetition, at: now
        )
    }

    /// Handles an acknowledgement that has come back to the sender at `end`.
    private mutating func arriveAcknowledgement(_ slot: Int, to end: End, ordinal: Int64, at now: Instant) {
        streams[slot][end].acknowledge(upTo: ordinal, at: now)
        pump(slot, end, at: now)
    }

    private mutating func arriveReset(_ slot: Int, at end: End, now: Instant) {
        if streams[slot].phase == .connecting, end == .client {
            fail(slot, .refused, at: now)
        } else {
            streams[slot].phase = .dead
            events.append(.reset(streams[slot].id, end: end, at: now))
        }
    }
}

extension Transit.Kind {
    /// The kind, the place and the transmission by which decisions about a packet are keyed.
    fileprivate func place(
        bytes: Range<Int64>, transmission: Int, attempts: Int
    ) -> (kind: PacketKind, bytes: Range<Int64>, transmission: Int) {
        switch self {
        case .data: (.data, bytes, transmission)
        case .synchronize, .synchronizeAcknowledge: (.handshake, 0..<0, attempts)
        case .query, .answer: (.lookup, 0..<0, attempts)
        case .acknowledgement(let ordinal): (.acknowledgement, ordinal..<ordinal, transmission)
        case .reset: (.reset, 0..<0, transmission)
        }
    }
}
