extension Profile {
    /// The conditions at `time` after the link came up.
    package func conditions(at time: Duration) -> LinkConditions {
        let elapsed = time.nanoseconds
        let phase = repeatsEvery.map { elapsed % $0.nanoseconds } ?? elapsed
        var current = changes.last { $0.at.nanoseconds <= phase }?.conditions ?? conditions
        if let stall, elapsed % stall.period.nanoseconds >= stall.startNanoseconds { current.isHeld = true }
        return current
    }

    /// The first moment after `time` at which something changes; nil if nothing does any more.
    package func nextChange(after time: Duration) -> Duration? {
        let elapsed = time.nanoseconds
        var candidates: [Int64] = []
        if let period = repeatsEvery?.nanoseconds {
            let phase = elapsed % period
            let next = changes.first { $0.at.nanoseconds > phase }?.at.nanoseconds ?? period
            candidates.append(elapsed - phase + next)
        } else if let next = changes.first(where: { $0.at.nanoseconds > elapsed }) {
            candidates.append(next.at.nanoseconds)
        }
        if let stall {
            let phase = elapsed % stall.period.nanoseconds
            let edge = phase < stall.startNanoseconds ? stall.startNanoseconds : stall.period.nanoseconds
            candidates.append(elapsed - phase + edge)
        }
        return candidates.min().map(Duration.nanoseconds)
    }
}

extension Profile.PeriodicStall {
    fileprivate var startNanoseconds: Int64 { period.nanoseconds - length.nanoseconds }
}

extension Profile {
    /// Whether a stream has to retransmit packets, in either direction, under the first conditions.
    package var mayLose: Bool {
        let conditions = conditions(at: .zero)
        return Direction.allCases.contains {
            (conditions[$0].loss?.mean ?? 0) > 0 || conditions[$0].corrupt != .zero
        }
    }
}
