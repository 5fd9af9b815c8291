internal import LinkModel

extension PacketLoop {
    /// Reads a packet's head, notes its flow, and returns its place in random decisions.
    mutating func identify(_ slot: Int32, length: Int, _ direction: Direction, at now: Instant) -> PacketPlace {
        slab[slot].length = Int32(length)
        guard let header = unsafe PacketHeader(slab.bytes(slot).span) else {
            counters.malformedPackets += 1
            ordinals[direction] += 1
            return PacketPlace(stray: ordinals[direction] - 1, of: stray)
        }
        let found = table.find(header, direction)
        if let replaced = found.replaced { close(replaced, at: now) }
        if found.isNew {
            let (flow, key) = (table.flows[found.slot], table.flows[found.slot].key)
            emit(
                .flow(protocol: key.transport, target: "\(key.host)", key: flow.name, port: Int(key.client.port)),
                flow: flow.ordinal, at: now)
        }
        var note = PacketNote()
        note.length = Int32(length)
        note.payloadOffset = Int32(header.payloadOffset)
        note.payloadCount = Int32(header.payloadCount)
        note.flow = found.slot
        note.generation = table.flows[found.slot].generation
        if direction == .uplink {
            findKey(of: found.slot, slot, header, at: now)
            if let type = unsafe NameQuestion(header, slab.bytes(slot).span)?.type {
                emit(.lookup(type: Int(type)), flow: table.flows[found.slot].ordinal, at: now)
            }
        }
        let place = PacketPlace(table, found.slot, header, direction)
        if let tcp = header.tcp { read(tcp, header, &note, found.slot, direction) }
        slab[slot] = note
        return place
    }

    /// Names a connection by its first request, if the client's first bytes are plain HTTP.
    private mutating func findKey(of flow: Int32, _ slot: Int32, _ header: PacketHeader, at now: Instant) {
        guard let tcp = header.tcp, header.payloadCount > 0, !table.flows[flow].isKeyed,
            !tcp.has(PacketHeader.TCP.synchronize), table.flows[flow, .uplink].isFirst(tcp.sequence)
        else { return }
        table.flows[flow].isKeyed = true
        let payload = unsafe slab.bytes(slot)[header.payloadOffset..<header.length]
        guard let request = unsafe FirstRequest(beginning: payload), let key = table.rename(flow, request: request)
        else { return }
        emit(.keyed(key: "\(key)", alias: key.alias), flow: table.flows[flow].ordinal, at: now)
    }

    private func read(
        _ tcp: PacketHeader.TCP, _ header: PacketHeader, _ note: inout PacketNote, _ flow: Int32,
        _ direction: Direction
    ) {
        note.isReset = tcp.has(PacketHeader.TCP.reset)
        guard !tcp.has(PacketHeader.TCP.synchronize), !note.isReset else { return }
        let isFinish = tcp.has(PacketHeader.TCP.finish)
        if header.payloadCount > 0 || isFinish, let offset = table.flows[flow, direction].offset(tcp.sequence) {
            note.end = offset + Int64(header.payloadCount)
            if isFinish {
                table.flows[flow, direction].finish = note.end
            }
        }
        if tcp.has(PacketHeader.TCP.acknowledge),
            let position = table.flows[flow, direction.opposite].offset(tcp.acknowledgement)
        {
            note.acknowledged = position
        }
    }

    /// Puts a packet into the pipe of its direction, or makes it ready at once if nothing shapes that direction.
    mutating func admit(
        _ slot: Int32, _ place: PacketPlace, _ direction: Direction, received: Instant, at now: Instant
    ) {
        if let flow = flow(of: slab[slot]), table.flows[flow].isCut {
            refuseCutFlow(slot, direction, at: received)
            return
        }
        if isUnshaped[direction], inPipe[direction] == 0 {
            pipes[direction].counters.offeredPackets += 1
            pipes[direction].counters.sentPackets += 1
            pipes[direction].counters.wireBytes += Int64(slab[slot].length)
            pipes[direction].counters.deliveredPackets += 1
            record(slot, at: direction.sender, isInbound: false, time: received)
            ready[direction].append(slot, in: &slab)
            return
        }
        if direction == .downlink, case .refused? = conditions.offline, !isOfLookup(slab[slot]) {
            pipes[direction].counters.offeredPackets += 1
            pipes[direction].counters.offlinePackets += 1
            answerReset(slot, to: .host)
            drop(slot, .offline(.refused), direction, at: received)
            return
        }
        offer(slot, place, direction, received: received, at: now)
    }

    /// Offers a packet to the pipe of its direction.
    mutating func offer(
        _ slot: Int32, _ place: PacketPlace, _ direction: Direction, received: Instant, at now: Instant
    ) {
        var packet = Packet(
            token: UInt64(slot), size: Int(slab[slot].length), stream: place.stream, kind: place.kind,
            bytes: place.bytes, transmission: place.transmission)
        packet.alias = place.alias
        let outcome = pipes[direction].offer(packet, at: now)
        let line = takeDecisions(about: slot, direction)
        switch outcome {
        case .accepted(let copies):
            slab[slot].references = Int32(copies)
            inPipe[direction] += copies
            if !slab[slot].isReply { record(slot, at: direction.sender, isInbound: false, time: received) }
        case .lost:
            drop(slot, .loss, direction, at: received, line: line)
        case .cut:
            cut(slot, direction, at: now)
            drop(slot, .cut, direction, at: received, line: line)
        case .offline:
            let kind = conditions.offline ?? .silent
            if kind == .noRoute, direction == .uplink { answerUnreachable(slot, .network, to: .client, at: now) }
            drop(slot, .offline(kind), direction, at: received)
        case .full:
            drop(slot, .queue, direction, at: received)
        }
    }

    /// Emits the decisions about a packet; returns the line of the first one if there is a recorder.
    private mutating func takeDecisions(about slot: Int32, _ direction: Direction) -> String? {
        var line: String?
        while let decided = pipes[direction].pollDecision() {
            let flow = flow(of: slab[slot])
            let name = flow.map { table.flows[$0].name } ?? Self.strayName
            let decision = Decision(decided, key: name, direction: direction)
            self.decided.append(decision)
            emit(.decision(line: decision), flow: flow.map { table.flows[$0].ordinal } ?? 0, at: decided.at)
            if recorder != nil, line == nil { line = decision.line }
        }
        return line
    }

    /// Holds a query for the DNS delay.
    mutating func hold(_ slot: Int32, _ place: PacketPlace, at now: Instant) {
        guard held.count < configuration.limits.heldQueries else {
            noteDropped(.uplink)
            counters.overflowedPackets += 1
            drop(slot, .overflow, .uplink, at: now)
            return
        }
        let query = HeldQuery(release: now + conditions.dnsDelay, received: now, slot: slot, place: place)
        let index = held.lastIndex { $0.release <= query.release }.map { $0 + 1 } ?? 0
        held.insert(query, at: index)
    }

    /// Whether a packet's flow looks up names.
    private mutating func isOfLookup(_ note: PacketNote) -> Bool {
        flow(of: note).map { table.flows[$0].key.isNameLookup } ?? false
    }

    mutating func isNameQuery(_ slot: Int32) -> Bool {
        unsafe PacketHeader(slab.bytes(slot).span)?.isNameQuery ?? false
    }

    /// Drops a packet that was not put on the link.
    mutating func drop(
        _ slot: Int32, _ reason: DropReason, _ direction: Direction, at time: Instant, line: String? = nil
    ) {
        if recorder != nil {
            record(slot, at: direction.sender, isInbound: false, time: time, comment: reason.comment(line))
        }
        slab.release(slot)
    }

    /// Records a packet, if there is a recorder.
    ///
    /// It is mutating like all calls for each packet: for a call that only reads the loop, the loop may be copied.
    mutating func record(_ slot: Int32, at end: End, isInbound: Bool, time: Instant, comment: String? = nil) {
        guard let recorder else { return }
        unsafe recorder.record(slab.bytes(slot).span, at: end, isInbound: isInbound, time: time, comment: comment)
    }

    /// The slot of a packet's flow; nil if the flow is no longer known.
    mutating func flow(of note: PacketNote) -> Int32? {
        note.flow >= 0 && table.flows[note.flow].generation == note.generation ? note.flow : nil
    }
}

extension Direction {
    /// The end that sends in this direction.
    var sender: End { self == .uplink ? .client : .host }
}
