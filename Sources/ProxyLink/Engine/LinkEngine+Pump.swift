internal import LinkModel
internal import NIOCore

extension LinkEngine {
    /// Polls the model for all that is due, acts upon it, and sets the timer for what is due next.
    func pump() {
        guard !isPumping, !isStopped else { return }
        isPumping = true
        drain(to: now)
        while !dirty.isEmpty {
            let due = dirty
            dirty.removeAll(keepingCapacity: true)
            for connection in due { connection.settle() }
            drain(to: now)
        }
        isPumping = false
        let waiting = throttled
        throttled.removeAll(keepingCapacity: true)
        for connection in waiting {
            connection.isThrottled = false
            connection.resumeReading()
        }
        arm()
    }

    /// Remembers a connection whose reading has stopped, until its backlog is shorter.
    func throttle(_ connection: Connection) {
        guard !connection.isThrottled else { return }
        connection.isThrottled = true
        throttled.append(connection)
    }

    func drain(to now: Instant) {
        while let event = model.poll(at: now) { note(event) }
        if model.conditions != conditions { adoptConditions(at: now) }
    }

    private func note(_ event: StreamEvent) {
        switch event {
        case .connected(let id, let at):
            mark(id) { $0.notices.connected = at }
        case .failed(let id, let failure, let at):
            mark(id) { $0.notices.failed = (failure, at) }
        case .delivered(let id, let end, let count, let at):
            mark(id) {
                $0.halves[end.peer.sends].due += count
                $0.halves[end.peer.sends].deliveredAt = at
            }
        case .finished(let id, let end, _):
            mark(id) { $0.halves[end.peer.sends].isFinishDue = true }
        case .reset(let id, let end, _):
            mark(id) { $0.notices.resets.insert(end) }
        case .decision(let decision):
            record.append(decision)
            emit(.decision(line: decision), connection: owners[decision.key] ?? 0, at: decision.at)
        }
    }

    private func mark(_ id: StreamID, _ body: (Connection) -> Void) {
        guard let connection = streams[id] else { return }
        body(connection)
        guard !connection.isDirty else { return }
        connection.isDirty = true
        dirty.append(connection)
    }

    private func arm() {
        guard let deadline = model.nextDeadline else {
            timer?.task.cancel()
            timer = nil
            return
        }
        // An earlier timer stays: when it fires, it only sets the next one.
        if let timer, timer.at <= deadline { return }
        timer?.task.cancel()
        let task = eventLoop.assumeIsolated().scheduleTask(deadline: NIODeadline(deadline)) { [self] in
            timer = nil
            pump()
        }
        timer = (deadline, task)
    }
}
