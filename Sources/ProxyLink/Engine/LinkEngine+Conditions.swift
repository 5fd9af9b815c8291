internal import LinkModel
internal import NIOCore

extension LinkEngine {
    /// Follows another base from now on; returns the new generation.
    func take(_ base: ConditionSource.Base) -> Int { take { _ in base } }

    /// Follows a profile from now on, as if the link had come up with it `age` ago; returns the new generation.
    func follow(_ profile: Profile, age: Duration = .zero) -> Int {
        take { .profile(profile, since: $0 + (.zero - age)) }
    }

    private func take(_ base: (Instant) -> ConditionSource.Base) -> Int {
        apply { model, now in
            var source = model.source
            source.take(base(now))
            model.follow(source, at: now)
        }
    }

    /// Follows the profile of a toxic, until ``uncover()``.
    func cover(_ profile: Profile) {
        covered = covered ?? model.source
        _ = follow(profile)
    }

    /// Follows again what a toxic's profile has covered.
    func uncover() {
        guard let source = covered else { return }
        covered = nil
        _ = apply { model, now in model.follow(source, at: now) }
    }

    /// Resets every open connection at both ends.
    func resetConnections() {
        input { model, now in model.resetStreams(at: now) }
        pump()
    }

    /// The profile that the link follows; nil while it has conditions that were set by hand.
    var followedProfile: Profile? { model.source.followed?.profile }

    /// Carries out requests to change the link, in this order, as one change.
    func change(_ requests: [LinkRequest]) {
        guard !requests.isEmpty else { return }
        _ = apply { model, now in
            var source = model.source
            for request in requests {
                switch request {
                case .profile(let profile): source.take(.profile(profile, since: now))
                case .conditions(let conditions): source.take(.conditions(conditions))
                case .offline(let kind): source.setOffline(kind, at: now)
                }
            }
            model.follow(source, at: now)
        }
    }

    /// The model has changed its conditions by itself.
    func adoptConditions(at now: Instant) {
        conditions = model.conditions
        counted.generation += 1
        noteConditions(at: now)
        retune()
    }

    private func apply(_ change: (inout StreamLink, Instant) -> Void) -> Int {
        input(change)
        adoptConditions(at: now)
        pump()
        return counted.generation
    }

    /// Adapts the sockets' options, and whether bytes bypass the model, to the conditions.
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

    /// Whether the link is unshaped and will stay so, as far as its profile says.
    private var staysUnshaped: Bool {
        guard conditions.isUnshaped, !configuration.hasPacketFaults else { return false }
        guard let (profile, _) = model.source.followed else { return true }
        return profile.downlinkTrace == nil && profile.uplinkTrace == nil && model.source.nextChange(after: now) == nil
    }
}

extension Profile {
    /// Returns `conditions` with the mean rate of the trace in each direction that follows a trace.
    func withTraceRates(_ conditions: LinkConditions) -> LinkConditions {
        var conditions = conditions
        for direction in Direction.allCases {
            guard let trace = trace(direction) else { continue }
            conditions[direction].rate = BitRate(bitsPerSecond: max(1, Int64(trace.meanRate)))
        }
        return conditions
    }
}
