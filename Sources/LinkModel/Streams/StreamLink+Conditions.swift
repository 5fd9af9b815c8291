internal import DequeModule

extension StreamLink {
    /// Follows `source` from `now` on, a changed or an earlier value of ``source``.
    package mutating func follow(_ source: ConditionSource, at now: Instant) {
        self.source = source
        adopt(at: now)
    }

    mutating func adopt(at now: Instant) {
        let previous = conditions
        conditions = source.conditions(at: now)
        let shaped = Self.streamConditions(conditions, parameters)
        for direction in Direction.allCases {
            pipes[direction].set(
                shaped, followsTrace: source.isOwn, live: source.otherTrace(direction), at: now)
            while let token = pipes[direction].pollEvicted() { transit.remove(token) }
        }
        nextChange = source.nextChange(after: now)
        if conditions.offline == .refused, previous.offline != .refused { resetAll(at: now) }
    }

    /// The conditions that a stream notices: corrupt packets are lost to it, duplicates and reordering have no effect.
    static func streamConditions(
        _ conditions: LinkConditions,
        _ parameters: TransportParameters
    ) -> LinkConditions {
        var shaped = conditions
        for direction in Direction.allCases {
            shaped[direction].duplicate = .zero
            shaped[direction].reorder = .zero
            if !parameters.losesAtFullQueue { shaped[direction].queue = .bytes(ByteCount(1 << 40)) }
        }
        return shaped
    }
}
