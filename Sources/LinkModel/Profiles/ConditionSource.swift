/// What decides the conditions of a link: a profile, or conditions that were set by hand.
package struct ConditionSource: Sendable {
    package enum Base: Sendable {
        /// The profile with which the link came up, at the point that it has now reached.
        case own
        /// Another profile, from this time on.
        case profile(Profile, since: Instant)
        /// Conditions that were set by hand.
        case conditions(LinkConditions)
    }

    /// The profile with which the link came up, and when.
    private let own: (profile: Profile, since: Instant)
    private var base = Base.own
    /// The kind of offline that holds whatever the base says; nil: as the base says.
    package private(set) var offline: OfflineKind?

    package init(_ profile: Profile, start: Instant) { own = (profile, start) }

    /// The profile that the link follows, and since when; nil while conditions are set by hand.
    package var followed: (profile: Profile, since: Instant)? {
        switch base {
        case .own: own
        case .profile(let profile, let since): (profile, since)
        case .conditions: nil
        }
    }

    /// Whether the link follows the profile with which it came up.
    package var isOwn: Bool { if case .own = base { true } else { false } }

    /// Follows another base from now on, and is no longer offline.
    package mutating func take(_ base: Base) {
        self.base = base
        offline = nil
    }

    /// Goes offline, while the time of the base goes on; nil goes online again.
    ///
    /// If the base itself is offline then, nil keeps its other conditions as they are at `now`. An outage that ends by
    /// itself, in a profile that changes, goes on if nil only ends what was set before.
    package mutating func setOffline(_ kind: OfflineKind?, at now: Instant) {
        let wasSet = offline != nil
        offline = kind
        var conditions = conditions(at: now)
        guard kind == nil, conditions.offline != nil, !wasSet || nextChange(after: now) == nil else { return }
        conditions.offline = nil
        base = .conditions(conditions)
    }

    /// The conditions at a time: those of the base, with the kind of offline that was set.
    package func conditions(at now: Instant) -> LinkConditions {
        var conditions =
            switch base {
            case .own: own.profile.conditions(at: own.since.duration(to: now))
            case .profile(let profile, let since): profile.conditions(at: since.duration(to: now))
            case .conditions(let conditions): conditions
            }
        if let offline { conditions.offline = offline }
        return conditions
    }

    /// When the followed profile changes the conditions next; nil if it never does.
    package func nextChange(after now: Instant) -> Instant? {
        followed.flatMap { profile, since in profile.nextChange(after: since.duration(to: now)).map { since + $0 } }
    }

    /// The trace that a direction follows instead of that of the link's own profile; nil: there is none.
    package func otherTrace(_ direction: Direction) -> LiveTrace? {
        guard case .profile(let profile, let since) = base else { return nil }
        return profile.trace(direction).map { LiveTrace(trace: $0, since: since) }
    }
}
