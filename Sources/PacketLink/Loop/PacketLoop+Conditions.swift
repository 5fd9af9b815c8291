internal import LinkModel

extension PacketLoop {
    /// Follows another base from now on; returns the new generation.
    mutating func take(_ base: ConditionSource.Base, at now: Instant) -> Int {
        advance(to: now)
        source.take(base)
        return adopt(at: now)
    }

    /// Applies the conditions of `now`, and returns the new generation.
    @discardableResult
    mutating func adopt(at now: Instant) -> Int {
        let previous = conditions
        conditions = source.conditions(at: now)
        generation += 1
        for direction in Direction.allCases {
            pipes[direction].set(
                conditions, followsTrace: source.isOwn, live: source.otherTrace(direction), at: now)
            while let token = pipes[direction].pollEvicted() {
                inPipe[direction] -= 1
                drop(Int32(token), .offline(conditions.offline ?? .silent), direction, at: now)
            }
        }
        nextChange = source.nextChange(after: now)
        adoptShape()
        emit(.conditions(conditions: conditions, generation: generation), flow: 0, at: now)
        if conditions.offline == .refused, previous.offline != .refused { resetAll(sparingLookups: true, at: now) }
        return generation
    }

    mutating func adoptShape() {
        // A schedule may name any packet, whatever the conditions are.
        let plays = configuration.schedule?.hasPacketFaults ?? false
        isUnshaped = PerDirection { direction in
            let followsTrace = source.followed?.profile.trace(direction) != nil
            return !plays && conditions[direction].isUnshaped && conditions.offline == nil && !conditions.isHeld
                && !followsTrace
        }
    }
}
