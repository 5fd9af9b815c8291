internal import HeapModule

extension StreamLink {
    /// Sets a timer, unless one of the same kind fires earlier; that one checks again when it does.
    mutating func schedule(_ kind: TimerKind, slot: Int, at moment: Instant) {
        if kind != .handshake, let scheduled = streams[slot].scheduled[kind.index], scheduled <= moment { return }
        streams[slot].scheduled[kind.index] = moment
        timers.insert(Timer(at: moment, stream: streams[slot].id, kind: kind))
    }

    /// Sets the timers that a half of a stream needs.
    mutating func watch(_ slot: Int, _ end: End) {
        if let deadline = streams[slot][end].sender.deadline {
            schedule(.retransmission(end), slot: slot, at: deadline)
        }
        if let deadline = streams[slot][end].sender.reorderDeadline {
            schedule(.reordering(end), slot: slot, at: deadline)
        }
        if let deadline = streams[slot][end].receiver.acknowledgementDeadline {
            schedule(.acknowledgement(end), slot: slot, at: deadline)
        }
    }

    /// Handles a timer, unless its stream is gone or another timer has replaced it.
    mutating func fire(_ timer: Timer) {
        guard let slot = slot(of: timer.stream), streams[slot].scheduled[timer.kind.index] == timer.at else { return }
        streams[slot].scheduled[timer.kind.index] = nil
        guard streams[slot].phase != .dead else { return }
        switch timer.kind {
        case .handshake: handshakeTimerFired(slot, at: timer.at)
        case .answer: answerQuery(slot, at: timer.at)
        case .retransmission, .reordering, .acknowledgement:
            transferTimerFired(timer.kind, slot: slot, at: timer.at)
        }
    }
}
