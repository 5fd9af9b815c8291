/// The limits of a link, wherever it is described: in a profile, in a scenario, over the control API.
///
/// Within these bounds no arithmetic of the model overflows, and no link takes more work than the traffic on it.
package enum LinkBounds {
    /// Delays, jitter and the time of a name lookup: 0 to 1 h.
    package static let delay: ClosedRange<Duration> = .zero ... .seconds(3600)
    /// Moments of a run: 0 to 24 h after its start.
    package static let moment: ClosedRange<Duration> = .zero ... .seconds(86_400)
    /// The shortest time from one change of a repeating link to the next: 10 ms.
    ///
    /// Anything faster is jitter, or a trace.
    package static let leastPeriod: Duration = .milliseconds(10)
    /// The largest queue in bytes: 1 TiB.
    package static let queueBytes: Int64 = 1 << 40
    /// The size of a queue in packets: 1 to 1,000,000.
    package static let queuePackets = 1...1_000_000
}

extension LinkConditions {
    /// Values of a direction that contradict each other, though each by itself is valid.
    package struct Contradiction: Hashable, Sendable {
        package var direction: Direction
        /// Such as "the jitter of the uplink, 6 ms, exceeds its delay, 5 ms".
        package var message: String
        package var hint: String
    }

    /// All contradictions in these conditions.
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
