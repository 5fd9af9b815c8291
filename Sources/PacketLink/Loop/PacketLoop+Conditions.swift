internal import LinkModel

extension PacketLoop {
    /// Sets conditions that hold from now on instead of those of a profile; returns the new generation.
    mutating func set(_ conditions: LinkConditions, at now: Instant) -> Int {
        advance(to: now)
        source.take(.conditions(conditions))
        return adopt(at: now)
    }

    /// Follows `profile` from now on, as if the link had come up with it `age` ago; returns the new generation.
    mutating func set(_ profile: Profile, age: Duration = .zero, at now: Instant) -> Int {
        advance(to: now)
        source.take(.profile(profile, since: now + (.zero - age)))
        return adopt(at: now)
    }

    /// Follows the profile that the link came up with again, at the point that it has now reached.
    ///
    /// Returns the new generation.
    mutating func release(at now: Instant) -> Int {
        advance(to: now)
        source.take(.own)
        return adopt(at: now)
    }

    /// Resets every open TCP connection; the conditions stay.
    mutating func resetConnections(at now: Instant) {
        advance(to: now)
        resetAll(at: now)
    }

    /// Applies the change at `change` of the profile that the link follows.
    mutating func followProfile(to change: Instant) { _ = adopt(at: change) }

    private mutating func adopt(at now: Instant) -> Int {
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
