internal import LinkModel
internal import LinuxSupport

extension PacketLoop {
    /// How long the next hop takes to answer that there is no route: 1 ms.
    ///
    /// Linux drops the error if it comes while connect(2) still holds its socket; the program then gets no error until
    /// the SYN is sent again.
    static let answerTime = Duration.milliseconds(1)

    /// Answers a packet with an ICMP error, as the next hop would, after ``answerTime``.
    mutating func answerUnreachable(
        _ slot: Int32, _ reason: PacketReply.Unreachable, to end: End, at now: Instant
    ) {
        let bytes = unsafe slab.bytes(slot).span
        guard let header = PacketHeader(bytes), let answer = PacketReply.unreachable(reason, header, bytes),
            let reply = place(reply: answer)
        else { return }
        answers.append(LateAnswer(release: now + Self.answerTime, slot: reply, direction: end.peer.sends))
    }

    /// Makes the answers ready that are due by `now`.
    mutating func releaseAnswers(at now: Instant) {
        let count = answers.prefix { $0.release <= now }.count
        for answer in answers.prefix(count) { ready[answer.direction].append(answer.slot, in: &slab) }
        answers.removeFirst(count)
    }

    /// Answers a segment with RST, at once and past the link.
    mutating func answerReset(_ slot: Int32, to end: End) {
        guard let header = unsafe PacketHeader(slab.bytes(slot).span), let answer = PacketReply.reset(header),
            let reply = place(reply: answer)
        else { return }
        ready[end.peer.sends].append(reply, in: &slab)
    }

    /// Drops a packet of a flow that a schedule has cut; answers a segment with RST.
    mutating func refuseCutFlow(_ slot: Int32, _ direction: Direction, at time: Instant) {
        pipes[direction].counters.offeredPackets += 1
        pipes[direction].counters.lostPackets += 1
        answerReset(slot, to: direction.sender)
        drop(slot, .cut, direction, at: time)
    }

    /// Cuts the flow of a packet: resets TCP at both ends, and drops all further packets of the flow.
    mutating func cut(_ slot: Int32, _ direction: Direction, at now: Instant) {
        guard let flow = flow(of: slab[slot]) else { return }
        table.flows[flow].isCut = true
        if table.flows[flow, direction.opposite].nextSequence == nil { answerReset(slot, to: direction.sender) }
        reset(flow, at: now)
    }

    /// Drops a packet that is larger than the MTU, with an ICMP error; returns true if it did.
    ///
    /// An IPv4 packet that may be fragmented passes unchanged, and the result is false.
    mutating func refuseLarge(_ slot: Int32, _ direction: Direction, at now: Instant) -> Bool {
        if let header = unsafe PacketHeader(slab.bytes(slot).span), header.mayFragment, !header.source.isVersion6 {
            return false
        }
        noteDropped(direction)
        counters.tooBigPackets += 1
        answerUnreachable(slot, .tooBig(mtu: conditions.mtu), to: direction.sender, at: now)
        drop(slot, .tooBig, direction, at: now)
        return true
    }

    /// Drops a packet that filled its slot, and so is larger than the largest packet.
    mutating func refuseCut(_ slot: Int32, _ direction: Direction) {
        noteDropped(direction)
        counters.tooBigPackets += 1
        slab.release(slot)
    }

    /// Whether an offline link refuses a packet that has reached the host's end; if so, it is answered over the link.
    mutating func isTurnedAway(_ slot: Int32, at now: Instant) -> Bool {
        guard let kind = conditions.offline, kind == .refused || kind == .noName, !slab[slot].isReply else {
            return false
        }
        let bytes = unsafe slab.bytes(slot).span
        guard let header = PacketHeader(bytes) else { return false }
        let answer: [UInt8]?
        switch header.transport {
        case _ where kind == .noName && !header.isNameQuery: return false
        // Only the host refuses, not the name server.
        case _ where kind == .refused && header.isForNameServer: return false
        case IPProtocol.tcp: answer = PacketReply.reset(header)
        case IPProtocol.udp where kind == .noName: answer = PacketReply.noName(header, bytes)
        case IPProtocol.udp: answer = PacketReply.unreachable(.port, header, bytes)
        default: return false
        }
        if let answer, let reply = place(reply: answer) { send(reply, about: slab[slot], at: now) }
        return true
    }

    /// Resets every open connection; with `sparingLookups`, not those of name lookups.
    mutating func resetAll(sparingLookups: Bool = false, at now: Instant) {
        for slot in table.slots where !(sparingLookups && table.flows[slot].key.isNameLookup) { reset(slot, at: now) }
    }

    /// Resets an open connection: the RST to the client crosses the link, that to the host is ready at once.
    private mutating func reset(_ slot: Int32, at now: Instant) {
        let key = table.flows[slot].key
        guard key.family == .tcp, !table.flows[slot].isClosed, let toClient = table.flows[slot, .downlink].nextSequence,
            let toHost = table.flows[slot, .uplink].nextSequence
        else { return }
        end(slot, .linkReset, at: now)
        let (client, host) = (key.client.name, key.host.name)
        if let reply = place(reply: InternetPacket.reset(from: client, to: host, sequence: toHost)) {
            ready.uplink.append(reply, in: &slab)
        }
        if let reply = place(reply: InternetPacket.reset(from: host, to: client, sequence: toClient)) {
            var note = PacketNote()
            (note.flow, note.generation) = (slot, table.flows[slot].generation)
            send(reply, about: note, at: now)
        }
    }

    /// Puts an answer on the downlink, as if the host had sent it.
    private mutating func send(_ reply: Int32, about note: PacketNote, at now: Instant) {
        guard let flow = flow(of: note) else {
            ready.downlink.append(reply, in: &slab)
            return
        }
        let place = PacketPlace(replyTo: flow, in: table, .downlink)
        offer(reply, place, .downlink, received: now, at: now)
    }

    /// Writes an answer into a slot; nil if no slot is free, or the answer is larger than a slot.
    private mutating func place(reply: [UInt8]) -> Int32? {
        guard reply.count <= slab.slotBytes, let slot = slab.take() else { return nil }
        unsafe slab.room(slot).copyBytes(from: reply)
        slab[slot].length = Int32(reply.count)
        slab[slot].isReply = true
        return slot
    }
}
