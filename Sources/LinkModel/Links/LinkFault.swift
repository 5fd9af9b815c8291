/// A fault of an attempt's link, or of the client and its device behind it.
package struct LinkFault: Hashable, Sendable {
    package var trigger: Trigger
    /// How long after ``trigger`` it begins (default: 0).
    package var wait: Duration
    package var effect: Effect
    /// How long it lasts, after which the link is as if the fault had never begun; nil: until ``until``, or the
    /// attempt's end.
    package var duration: Duration?
    /// The event that ends the fault; nil: none does.
    ///
    /// What the client reports is counted from when the fault began.
    package var until: Trigger?

    package init(
        trigger: Trigger, wait: Duration = .zero, effect: Effect, duration: Duration? = nil, until: Trigger? = nil
    ) {
        self.trigger = trigger
        self.wait = wait
        self.effect = effect
        self.duration = duration
        self.until = until
    }

    /// When a fault begins, or ends.
    package typealias Trigger = FaultSchedule.Event

    /// What the fault does.
    package typealias Effect = LinkEffect<Profile>

    /// The fault of a schedule's line, with the profile that `find` returns for a name; nil if that returns nil.
    ///
    /// By default no profile is found, because a line only names it.
    package init?(_ change: FaultSchedule.LinkChange, find: (String) -> Profile? = { _ in nil }) {
        let found = change.effect.map(find)
        if case .profile(nil) = found { return nil }
        let effect = found.map { profile in
            guard let profile else { preconditionFailure("a profile that is missing ends the initializer before") }
            return profile
        }
        self.init(trigger: change.after, wait: change.wait, effect: effect)
        switch change.until {
        case .later(let time)?: duration = time
        case .time(let end)?:
            // A moment of the run: the time left until it, if that is known when the fault begins.
            if let time { duration = end - time } else { until = .time(end) }
        case let event?: until = event
        case nil: break
        }
    }

    /// The fault as a line of a schedule.
    package var change: FaultSchedule.LinkChange {
        FaultSchedule.LinkChange(
            effect: effect.map(\.name), after: trigger, wait: wait,
            until: until ?? duration.map(FaultSchedule.Event.later))
    }
}

/// What happens to a link, or to the client behind it; of a profile, a line of a schedule has only the name.
package enum LinkEffect<Profile: Hashable & Sendable>: Hashable, Sendable {
    case offline(OfflineKind)
    /// The link follows this profile.
    case profile(Profile)
    /// All connections are reset; the link itself stays as it is.
    case cut
    /// The client is killed (SIGKILL), and started again at once; the link stays as it is.
    case clientKilled
    /// The client's device has no room left, until the attempt's end; the link stays as it is.
    case deviceFull

    /// The same effect with another form of the profile.
    func map<Other>(_ transform: (Profile) -> Other) -> LinkEffect<Other> {
        switch self {
        case .offline(let kind): .offline(kind)
        case .profile(let profile): .profile(transform(profile))
        case .cut: .cut
        case .clientKilled: .clientKilled
        case .deviceFull: .deviceFull
        }
    }
}

extension LinkFault {
    /// When it begins, if that is a time since the client's start; nil if it waits for something else.
    package var time: Duration? { trigger.time.map { $0 + wait } }
}

extension FaultSchedule.Event {
    /// The duration of ``time(_:)``; nil for other events.
    package var time: Duration? {
        if case .time(let duration) = self { duration } else { nil }
    }

    /// The pack or tag that it names; nil if it names none.
    package var pack: String? {
        switch self {
        case .time, .later, .bytes, .client: nil
        case .packBytes(_, let pack), .packShare(_, let pack): pack
        }
    }
}

/// A fault that has begun.
package struct PlayedFault: Sendable, Hashable {
    /// When it began, in nanoseconds of CLOCK_MONOTONIC.
    package var at: Int64
    package var fault: LinkFault

    package init(at: Int64, fault: LinkFault) { (self.at, self.fault) = (at, fault) }
}
