/// The plan of a link: its profile, and all that will happen to it.
package struct LinkSetup: Sendable {
    /// The profile that the link follows.
    package var profile: Profile
    /// Faults that happen to it meanwhile; none by default.
    package var faults: [LinkFault]
    /// The seed of all random decisions, if the backend takes one; 0 by default.
    package var seed: UInt64
    /// A schedule to play instead of random faults; nil (the default): faults are random.
    package var schedule: FaultSchedule?

    package init(
        profile: Profile, faults: [LinkFault] = [], seed: UInt64 = 0, schedule: FaultSchedule? = nil
    ) {
        (self.profile, self.faults, self.seed, self.schedule) = (profile, faults, seed, schedule)
    }

    /// A profile with the first conditions, and with all that can hold later as changes, at times without meaning.
    ///
    /// The kernel's queues are made at the start for all of it.
    package var foreseen: Profile {
        let own = profile.allConditions
        var all = own
        for fault in faults {
            switch fault.effect {
            case .offline(let kind):
                all += own.map { conditions in
                    var conditions = conditions
                    conditions.offline = kind
                    return conditions
                }
            case .profile(let other): all += other.allConditions
            case .cut, .clientKilled, .deviceFull: break
            }
        }
        return Profile(
            name: profile.name, conditions: profile.conditions(at: .zero),
            changes: all.map { Profile.Change(at: .seconds(1), conditions: $0) })
    }

    /// Whether nothing is random, so that a record of faults is complete without decisions about packets.
    package var isCertain: Bool {
        foreseen.allConditions.allSatisfy { link in
            Direction.allCases.allSatisfy { direction in
                let conditions = link[direction]
                let loss = conditions.loss?.mean ?? 0
                return (loss == 0 || loss == 1) && conditions.duplicate == .zero && conditions.reorder == .zero
                    && conditions.corrupt == .zero
            }
        }
    }

    /// Whether packets may be duplicated: then random loss is unknown, because such a packet is lost only if both
    /// copies are.
    package var doublesPackets: Bool {
        foreseen.allConditions.contains { $0.downlink.duplicate > .zero || $0.uplink.duplicate > .zero }
    }
}

/// How a link may be shaped.
package enum LinkFidelity: String, CaseIterable, Sendable {
    /// Streams are shaped; loss is the stall that a retransmission costs.
    case modelled
    /// Packets are shaped.
    case packet
    /// Either; the result says which.
    case any
}
