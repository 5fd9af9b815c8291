internal import DequeModule

extension StreamLink {
    /// Starts a lookup, or the handshake if no lookup is due.
    mutating func connect(_ slot: Int, at now: Instant) {
        if conditions.offline == .noRoute {
            fail(slot, .noRoute, at: now)
        } else if streams[slot].lookup != nil {
            streams[slot].phase = .lookingUp
            sendQuery(slot, at: now)
        } else {
            streams[slot].phase = .connecting
            streams[slot].attempts = 0
            sendSynchronize(slot, at: now)
        }
    }

    /// Handles a packet of the handshake or of a lookup; returns false for other packets.
    mutating func arriveHandshake(_ entry: Transit.Entry, slot: Int, at now: Instant) -> Bool {
        switch entry.kind {
        case .query:
            schedule(.answer, slot: slot, at: now + conditions.dnsDelay)
        case .answer(let exists):
            resolve(slot, exists: exists, at: now)
        case .synchronize(let sentAt):
            synchronize(slot, echo: sentAt, at: now)
        case .synchronizeAcknowledge(let echo):
            establish(slot, handshake: echo.duration(to: now), at: now)
        case .data, .acknowledgement, .reset:
            return false
        }
        return true
    }

    /// Asks again when an answer is overdue, or gives up.
    mutating func handshakeTimerFired(_ slot: Int, at now: Instant) {
        switch streams[slot].phase {
        case .lookingUp where streams[slot].attempts < parameters.lookupAttempts:
            sendQuery(slot, at: now)
        case .connecting where streams[slot].attempts <= parameters.handshakeRetries:
            sendSynchronize(slot, at: now)
        case .lookingUp, .connecting:
            fail(slot, .timedOut, at: now)
        case .open, .dead:
            break
        }
    }

    /// Answers a query that the resolver has delayed for as long as the profile says.
    mutating func answerQuery(_ slot: Int, at now: Instant) {
        let exists = conditions.offline != .noName
        offer(.answer(exists: exists), slot: slot, from: .host, size: parameters.answerBytes, at: now)
    }

    /// Resets every open stream at both ends.
    mutating func resetAll(at now: Instant) {
        for slot in streams.indices where streams[slot].phase == .open {
            offer(.reset, slot: slot, from: .host, size: parameters.headerBytes, at: now)
            events.append(.reset(streams[slot].id, end: .host, at: now))
        }
    }

    /// Marks the client as connected, unless it is already.
    ///
    /// Data of the host calls this too, because it may overtake a lost SYN-ACK.
    mutating func establish(_ slot: Int, handshake: Duration? = nil, at now: Instant) {
        guard streams[slot].phase == .connecting else { return }
        streams[slot].phase = .open
        streams[slot][.client].isUp = true
        if let handshake {
            streams[slot].handshake = handshake
            streams[slot][.client].sender.handshake(took: handshake)
        }
        events.append(.connected(streams[slot].id, at: now))
        pump(slot, .client, at: now)
    }

    private mutating func sendQuery(_ slot: Int, at now: Instant) {
        streams[slot].attempts += 1
        offer(.query, slot: slot, from: .client, size: parameters.queryBytes, at: now)
        schedule(.handshake, slot: slot, at: now + conditions.dnsDelay + parameters.lookupTimeout)
    }

    private mutating func sendSynchronize(_ slot: Int, at now: Instant) {
        let attempt = streams[slot].attempts
        streams[slot].attempts += 1
        offer(.synchronize(sentAt: now), slot: slot, from: .client, size: parameters.handshakeBytes, at: now)
        let doublings = max(0, attempt - parameters.linearHandshakeRetries)
        schedule(.handshake, slot: slot, at: now + parameters.initialTimeout * (1 << doublings))
    }

    private mutating func resolve(_ slot: Int, exists: Bool, at now: Instant) {
        guard streams[slot].phase == .lookingUp, let name = streams[slot].lookup else { return }
        guard exists else {
            fail(slot, .noName, at: now)
            return
        }
        if resolvedNames.count < parameters.mostResolvedNames { resolvedNames.insert(name) }
        streams[slot].phase = .connecting
        streams[slot].attempts = 0
        sendSynchronize(slot, at: now)
    }

    private mutating func synchronize(_ slot: Int, echo: Instant, at now: Instant) {
        guard conditions.offline != .refused else {
            offer(.reset, slot: slot, from: .host, size: parameters.headerBytes, at: now)
            return
        }
        streams[slot][.host].isUp = true
        streams[slot].answers += 1
        offer(.synchronizeAcknowledge(echo: echo), slot: slot, from: .host, size: parameters.handshakeBytes, at: now)
        pump(slot, .host, at: now)
    }

    mutating func fail(_ slot: Int, _ failure: ConnectFailure, at now: Instant) {
        guard streams[slot].phase != .dead else { return }
        streams[slot].phase = .dead
        events.append(.failed(streams[slot].id, failure, at: now))
    }

    /// Renames a stream: random decisions about it follow `key` from here on.
    ///
    /// For a caller that learns only from the first bytes what the stream is about. `alias` is another name for
    /// schedules.
    package mutating func rekey(_ key: String, alias: String? = nil, on id: StreamID) {
        guard let slot = slot(of: id) else { return }
        streams[slot].key = key
        streams[slot].hash = random.streamKey(key)
        streams[slot].alias = alias
        streams[slot].aliasHash = alias.map { random.streamKey($0) } ?? 0
        streams[slot].cut = cuts.places(of: [key] + (alias.map { [$0] } ?? []))
    }
}
