internal import LinkModel
internal import NIOCore

extension Connection {
    /// Acts upon the events of the model that were noted since the last call.
    func settle() {
        isDirty = false
        guard !isEnded else { return }
        let notices = self.notices
        self.notices = Notices()
        if let at = notices.connected, let course, case .connecting = phase {
            emit(.connected, at: at)
            dial(course)
        }
        if let (failure, at) = notices.failed { refuse(.modelled(failure), at: at) }
        for direction in Direction.allCases {
            writeDue(direction)
            // Writing may have polled the model again; a FIN must not overtake bytes that were sent before it.
            if halves[direction].isFinishDue, halves[direction].due == 0 {
                halves[direction].isFinishDue = false
                let receiver = direction == .downlink ? client : host
                if halves[direction].endsByReset {
                    receiver?.reset()
                } else if halves[direction].endsByClose {
                    receiver?.close()
                } else {
                    receiver?.finish()
                }
            }
        }
        guard !notices.resets.isEmpty else { return }
        if case .dialing = phase { refuse(.modelled(.refused)) }
        for end in End.allCases where notices.resets.contains(end) { reset(at: end) }
    }

    /// The peer at one end has sent its FIN.
    func finished(from end: End) {
        switch phase {
        case .awaitingRequest:
            cause = .gaveUp
            finish()
        case .connecting, .dialing:
            // A client that sends FIN while it waits for the tunnel has left. Any other may still want the answer, even
            // if it sends nothing: some servers speak first.
            if course?.isTunnel == true {
                cause = .gaveUp
                finish()
            }
        case .relaying:
            guard !halves[end.sends].hasFinished else { return }
            if let pipe = pipes[end.sends] {
                pipe.end(at: engine.now)
                runPipe(end.sends)
            } else {
                passEnd(from: end)
            }
        case .serving, .refusing, .ended:
            break
        }
        engine.pump()
    }

    /// The socket at one end is gone.
    func lost(_ end: End) {
        // A refused client still reads its answer.
        if end == .host, case .refusing = phase { return }
        guard case .relaying = phase, let socket = self[end], let other = self[end.peer], !other.isGone else {
            if case .relaying = phase { cause = cause ?? .finished } else { cause = cause ?? .gaveUp }
            finish()
            return
        }
        if socket.isClosing { return lostByClose(end) }
        if !socket.hasFinished {
            cause = cause ?? (end == .client ? .clientReset : .hostReset)
            if let pipe = pipes[end.sends], !halves[end.sends].hasFinished {
                halves[end.sends].endsByReset = true
                pipe.end(at: engine.now)
                runPipe(end.sends)
            } else if halves[end.sends].held.isEmpty || halves[end.sends].hasFinished {
                engine.input(on: self) { $0.reset(from: end, on: $1, at: $2) }
                // If the link drops the RST, this deadline ends the other end.
                setDeadline(Self.resetTime) { [self] in finish() }
            } else {
                // Bytes that were sent before the RST arrive before it: both ends see the cut after the same byte.
                halves[end.sends].hasFinished = true
                halves[end.sends].endsByReset = true
                engine.input(on: self) { $0.finish(from: end, on: $1, at: $2) }
            }
        }
        engine.pump()
    }

    /// Refuses the client: by an answer at the forward proxy, RST at a reverse listener, a close at a named proxy.
    func refuse(_ refusal: Refusal, at: Instant? = nil) {
        guard !isEnded else { return }
        engine.counted.refused += 1
        cause = .refused
        emit(.refused(reason: refusal.details), at: at)
        engine.forget(self)
        switch entrance {
        case .forward: break
        case .reverse: return finish()
        // Toxiproxy closes the connection too if its upstream is down.
        case .door: return finish(resets: false)
        }
        phase = .refusing
        client?.write(refusal.response(in: dialect))
        client?.finish()
        client?.read()
        setDeadline(Self.lingerTime) { [self] in finish() }
    }

    /// Refuses a client whose request proves malformed while it is relayed; answers unless an answer has already begun.
    func breakOff(_ refusal: Refusal) {
        guard halves.downlink.delivered == 0, halves.downlink.held.isEmpty else {
            engine.counted.refused += 1
            cause = .refused
            emit(.refused(reason: refusal.details))
            finish()
            return
        }
        refuse(refusal)
        host?.reset()
    }

    /// Ends the connection, and what is open of it: by RST if `resets`, else by close.
    func finish(resets: Bool = true) {
        guard !isEnded else { return }
        for direction in Direction.allCases { report(direction, now: engine.now, isLast: true) }
        phase = .ended
        clearDeadline()
        follower?.cancel()
        follower = nil
        stopPipes()
        for socket in [client, host] {
            if resets { socket?.reset() } else { socket?.closeNow() }
        }
        engine.remove(self)
        if course != nil {
            emit(
                .closed(
                    downlink: halves.downlink.delivered, uplink: halves.uplink.delivered, cause: cause ?? .finished))
        }
    }

    /// An RST has arrived at one end.
    private func reset(at end: End) {
        guard case .relaying = phase else { return }
        cause = cause ?? .linkReset
        self[end]?.reset()
    }

    /// How long a refused client may take to read its answer: 2 s.
    static let lingerTime = Duration.seconds(2)
    /// How long the RST of one end may take to reach the other: 60 s.
    private static let resetTime = Duration.seconds(60)
}
