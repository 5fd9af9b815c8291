internal import LinkModel
internal import NIOCore

extension LinkEngine {
    /// Lets `conditions` hold from now on, whatever a profile says.
    func set(_ conditions: LinkConditions) -> Int {
        isOverridden = true
        liveProfile = nil
        return apply(conditions)
    }

    /// Follows `profile` from now on, as if the link had come up with it `age` ago.
    func set(_ profile: Profile, age: Duration = .zero) -> Int {
        isOverridden = true
        liveProfile = (profile, now + (.zero - age))
        input { model, now in model.follow(profile, age: age, at: now) }
        adoptConditions(at: now)
        pump()
        return generation
    }

    /// Gives the link back to the profile that it came up with, where that is by now.
    func release() -> Int {
        isOverridden = false
        liveProfile = nil
        return apply(nil)
    }

    /// Resets every open connection at both ends.
    func resetConnections() {
        input { model, now in model.resetStreams(at: now) }
        pump()
    }

    /// The profile that is followed; nil while conditions were set by hand.
    var followedProfile: Profile? { isOverridden ? liveProfile?.profile : configuration.profile }

    /// Does what somebody asks of the link.
    func change(_ request: LinkRequest) {
        switch request {
        case .profile(let profile): _ = set(profile)
        case .conditions(let conditions): _ = set(conditions)
        case .offline(let kind):
            var conditions = conditions
            conditions.offline = kind
            _ = set(conditions)
        }
    }

    /// The model has changed its conditions by itself.
    func adoptConditions(at now: Instant) {
        conditions = model.conditions
        generation += 1
        noteConditions(at: now)
        retune()
    }

    private func apply(_ conditions: LinkConditions?) -> Int {
        input { model, now in model.set(conditions, at: now) }
        adoptConditions(at: now)
        pump()
        return generation
    }

    /// Fits sockets and the choice of path to the conditions.
    private func retune() {
        let direct = staysUnshaped
        let paced = followedProfile?.withTraceRates(conditions) ?? conditions
        let tuning = SocketTuning(paced, isShaped: !direct)
        guard direct != isDirect || tuning != self.tuning else { return }
        isDirect = direct
        self.tuning = tuning
        for listener in listeners { tuning.apply(toListener: listener) }
        for connection in connections.values {
            for end in End.allCases {
                connection[end]?.tune(tuning, readLimit)
                connection.updateReceiving(at: end)
                connection.readOn(from: end)
            }
        }
    }

    /// Whether nothing but unshaped conditions lies ahead.
    private var staysUnshaped: Bool {
        guard conditions.isUnshaped, !configuration.hasPacketFaults else { return false }
        if isOverridden, liveProfile == nil { return true }
        let (profile, since) = liveProfile ?? (configuration.profile, start)
        return profile.downlinkTrace == nil && profile.uplinkTrace == nil
            && profile.nextChange(after: since.duration(to: now)) == nil
    }
}

extension Profile {
    /// `conditions` with the mean rate of a trace where that stands in for a rate.
    func withTraceRates(_ conditions: LinkConditions) -> LinkConditions {
        var conditions = conditions
        for direction in Direction.allCases {
            guard let trace = trace(direction) else { continue }
            conditions[direction].rate = BitRate(bitsPerSecond: max(1, Int64(trace.meanRate)))
        }
        return conditions
    }
}
