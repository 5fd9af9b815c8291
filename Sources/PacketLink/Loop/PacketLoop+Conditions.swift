internal import LinkModel

extension PacketLoop {
    /// Sets conditions that hold from now on instead of those of a profile; returns the new generation.
    mutating func set(_ conditions: LinkConditions, at now: Instant) -> Int {
        advance(to: now)
        isOverridden = true
        liveProfile = nil
        return adopt(conditions, at: now)
    }

    /// Follows `profile` from now on, as if the link had come up with it `age` ago; returns the new generation.
    mutating func set(_ profile: Profile, age: Duration = .zero, at now: Instant) -> Int {
        advance(to: now)
        isOverridden = true
        liveProfile = (profile, now + (.zero - age))
        return adopt(profile.conditions(at: age), at: now)
    }

    /// Follows the profile that the link came up with again, at the point that it has now reached.
    ///
    /// Returns the new generation.
    mutating func release(at now: Instant) -> Int {
        advance(to: now)
        isOverridden = false
        liveProfile = nil
        return adopt(configuration.profile.conditions(at: start.duration(to: now)), at: now)
    }

    /// Resets every open TCP connection; the conditions stay.
    mutating func resetConnections(at now: Instant) {
        advance(to: now)
        resetAll(at: now)
    }

    /// Applies the change at `change` of the profile that the link follows.
    mutating func followProfile(to change: Instant) {
        let (profile, origin) = liveProfile ?? (configuration.profile, start)
        _ = adopt(profile.conditions(at: origin.duration(to: change)), at: change)
    }

    /// The profile that the link follows, and since when; nil while conditions are set by hand.
    private var followed: (profile: Profile, start: Instant)? {
        liveProfile ?? (isOverridden ? nil : (configuration.profile, start))
    }

    private mutating func adopt(_ conditions: LinkConditions, at now: Instant) -> Int {
        let previous = self.conditions
        self.conditions = conditions
        generation += 1
        for direction in Direction.allCases {
            let trace = liveProfile.flatMap { live in
                live.profile.trace(direction).map { LiveTrace(trace: $0, since: live.start) }
            }
            pipes[direction].set(conditions, followsTrace: !isOverridden, live: trace, at: now)
            while let token = pipes[direction].pollEvicted() {
                inPipe[direction] -= 1
                drop(Int32(token), .offline(conditions.offline ?? .silent), direction, at: now)
            }
        }
        nextChange = followed.flatMap { profile, origin in
            profile.nextChange(after: origin.duration(to: now)).map { origin + $0 }
        }
        adoptShape()
        emit(.conditions(conditions: conditions, generation: generation), flow: 0, at: now)
        if conditions.offline == .refused, previous.offline != .refused { resetAll(sparingLookups: true, at: now) }
        return generation
    }

    mutating func adoptShape() {
        // A schedule may name any packet, whatever the conditions are.
        let plays = configuration.schedule?.hasPacketFaults ?? false
        isUnshaped = PerDirection { direction in
            let followsTrace = followed?.profile.trace(direction) != nil
            return !plays && conditions[direction].isUnshaped && conditions.offline == nil && !conditions.isHeld
                && !followsTrace
        }
    }
}
