internal import DequeModule

extension StreamLink {
    /// Applies `conditions` from `now` on, overriding the profile; nil follows the link's own profile again.
    package mutating func set(_ conditions: LinkConditions?, at now: Instant) {
        isOverridden = conditions != nil
        live = nil
        adopt(conditions ?? profile.conditions(at: start.duration(to: now)), at: now)
    }

    /// Follows `profile` from `now` on, as if the link had come up with it `age` ago; ``set(_:at:)`` ends that.
    package mutating func follow(_ profile: Profile, age: Duration = .zero, at now: Instant) {
        isOverridden = true
        live = (profile, now + (.zero - age))
        adopt(profile.conditions(at: age), at: now)
    }

    /// The profile that is followed, and since when; nil while conditions are set by hand.
    package var followed: (profile: Profile, since: Instant)? {
        live ?? (isOverridden ? nil : (profile, start))
    }

    mutating func adopt(_ conditions: LinkConditions, at now: Instant) {
        let previous = self.conditions
        self.conditions = conditions
        let shaped = Self.streamConditions(conditions, parameters)
        for direction in Direction.allCases {
            let trace = live.flatMap { live in
                live.profile.trace(direction).map { LiveTrace(trace: $0, since: live.since) }
            }
            pipes[direction].set(shaped, followsTrace: !isOverridden, live: trace, at: now)
            while let token = pipes[direction].pollEvicted() { transit.remove(token) }
        }
        nextChange = followed.flatMap { profile, since in
            profile.nextChange(after: since.duration(to: now)).map { since + $0 }
        }
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
