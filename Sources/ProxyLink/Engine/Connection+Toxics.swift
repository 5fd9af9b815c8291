internal import LinkModel
internal import NIOCore

extension Connection {
    /// Applies the toxics that its named proxy has now.
    func applyToxics() {
        guard let door, case .relaying = phase else { return }
        for direction in Direction.allCases where !isEnded {
            let toxics = door.toxics(direction)
            if pipes[direction] == nil {
                guard !toxics.isEmpty, !halves[direction].hasFinished else { continue }
                pipes[direction] = ToxicPipe()
            }
            pipes[direction]?.apply(toxics, dice: { door.dice($0, order: doorOrder) }, at: engine.now)
            runPipe(direction)
        }
        engine.pump()
        for end in End.allCases { readOn(from: end) }
    }

    /// Passes bytes of one end to the toxics of its direction, or relays them if there are none.
    func pass(_ bytes: ByteBuffer, from end: End) {
        guard let pipe = pipes[end.sends] else { return relay(bytes, from: end) }
        pipe.take(bytes, at: engine.now)
        runPipe(end.sends)
    }

    /// Relays what the toxics of a direction let through now, and sets the timer for the rest.
    func runPipe(_ direction: Direction) {
        guard let pipe = pipes[direction], !pipe.isRunning else { return }
        pipe.isRunning = true
        let sender: End = direction == .downlink ? .host : .client
        while !isEnded, let output = pipe.next(at: engine.now) {
            switch output {
            case .piece(let piece):
                // Each piece is written by itself, so that slices stay separate.
                relay(piece.bytes, from: sender)
            case .end: passEnd(from: sender)
            case .close:
                cause = cause ?? .linkReset
                halves[direction].endsByClose = true
                passEnd(from: sender)
            case .reset:
                cause = .linkReset
                finish()
            }
        }
        pipe.isRunning = false
        count(pipe)
        guard !isEnded else { return }
        if pipe.isIdle { pipes[direction] = nil }
        arm(pipe, direction)
    }

    /// Removes the toxics of both directions, with the bytes that they hold.
    func stopPipes() {
        for direction in Direction.allCases {
            guard let pipe = pipes[direction] else { continue }
            pipe.timer?.cancel()
            engine.commons.heldBytes -= pipe.countedBytes
            pipe.countedBytes = 0
            pipes[direction] = nil
        }
    }

    /// The end of the stream has passed the toxics of its direction.
    func passEnd(from end: End) {
        guard !halves[end.sends].hasFinished else { return }
        halves[end.sends].hasFinished = true
        // If a toxic drops the answer, no failed write would show that the client has left.
        if pipes[end.peer.sends]?.swallows == true { halves[end.sends].endsByClose = true }
        engine.input(on: self) { $0.finish(from: end, on: $1, at: $2) }
    }

    /// A toxic has closed the socket at one end; closes the other one after it got all that was sent before.
    func lostByClose(_ end: End) {
        let direction = end.sends
        if halves[direction].hasFinished, self[end.peer]?.isFinishing == true {
            self[end.peer]?.close()
        } else {
            halves[direction].endsByClose = true
            finished(from: end)
        }
        engine.pump()
    }

    private func count(_ pipe: ToxicPipe) {
        let held = isEnded ? 0 : pipe.heldBytes
        engine.commons.heldBytes += held - pipe.countedBytes
        pipe.countedBytes = held
    }

    private func arm(_ pipe: ToxicPipe, _ direction: Direction) {
        pipe.timer?.cancel()
        pipe.timer = nil
        guard let deadline = pipe.deadline() else { return }
        pipe.timer = engine.eventLoop.assumeIsolated().scheduleTask(deadline: NIODeadline(deadline)) { [self] in
            pipe.timer = nil
            runPipe(direction)
            engine.pump()
            readOn(from: direction == .downlink ? .host : .client)
        }
    }
}
