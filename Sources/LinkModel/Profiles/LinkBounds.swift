/// What a link may be at most, wherever it is described: in a profile, in a scenario, over the control API.
///
/// Within these bounds no arithmetic of the model overflows, and no link takes more work than the traffic on it.
package enum LinkBounds {
    /// Delays, jitter and the time of a name lookup: none or more.
    package static let delay: ClosedRange<Duration> = .zero ... .seconds(3600)
    /// Moments of a run: up to a day after it began.
    package static let moment: ClosedRange<Duration> = .zero ... .seconds(86_400)
    /// The least time from one change of a link that repeats itself to the next: 10 ms.
    ///
    /// What varies faster is jitter, or a trace.
    package static let leastPeriod: Duration = .milliseconds(10)
    /// Room of a queue in bytes: 1 TiB at most.
    package static let queueBytes: Int64 = 1 << 40
    /// Room of a queue in packets.
    package static let queuePackets = 1...1_000_000
}

extension LinkConditions {
    /// Something about a direction that cannot be, though each value by itself can.
    package struct Contradiction: Hashable, Sendable {
        package var direction: Direction
        /// Such as "the jitter of the uplink, 6 ms, exceeds its delay, 5 ms".
        package var message: String
        package var hint: String
    }

    /// Everything about these conditions that cannot be.
    package var contradictions: [Contradiction] {
        Direction.allCases.flatMap { direction in
            let conditions = self[direction]
            var found: [Contradiction] = []
            func note(_ message: String, hint: String) {
                found.append(Contradiction(direction: direction, message: message, hint: hint))
            }
            let key = direction.rawValue
            if let jitter = conditions.jitter, jitter.amount > conditions.delay {
                let delay = conditions.delay.text
                note(
                    "the jitter of the \(key), \(jitter.amount.text), exceeds its delay, \(delay)",
                    hint: "a packet cannot arrive before it was sent")
            }
            if case .bytes(let room) = conditions.queue, room.bytes < mtu {
                note(
                    "the queue of the \(key) has no room for one packet of \(mtu) bytes",
                    hint: "give it \(mtu) B or more")
            }
            if case .bytes(let room) = conditions.queue, room.bytes > LinkBounds.queueBytes {
                note("the queue of the \(key) has more than 1 TiB", hint: "the most is 1 TiB")
            }
            return found
        }
    }
}
