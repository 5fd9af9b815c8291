/// A link that is to be, with all that is to become of it.
package struct LinkSetup: Sendable {
    /// What the link follows.
    package var profile: Profile
    /// What it becomes meanwhile.
    package var faults: [LinkFault]
    /// What random decisions are keyed by, where the backend takes it; 0 by default.
    package var seed: UInt64
    /// Played in the place of chance; nil (the default): chance decides.
    package var schedule: FaultSchedule?

    package init(
        profile: Profile, faults: [LinkFault] = [], seed: UInt64 = 0, schedule: FaultSchedule? = nil
    ) {
        (self.profile, self.faults, self.seed, self.schedule) = (profile, faults, seed, schedule)
    }

    /// What holds at first, and as changes all that can hold later, whenever that is.
    ///
    /// The kernel's queues are there from the start for all of it.
    package var foreseen: Profile {
        let own = [profile.conditions] + profile.changes.map(\.conditions)
        var later = Array(own.dropFirst())
        for fault in faults {
            switch fault.effect {
            case .offline(let kind):
                later += own.map { conditions in
                    var conditions = conditions
                    conditions.offline = kind
                    return conditions
                }
            case .profile(let other): later += [other.conditions] + other.changes.map(\.conditions)
            case .cut, .clientKilled: break
            }
        }
        return Profile(
            name: profile.name, conditions: profile.conditions(at: .zero),
            changes: ([profile.conditions] + later).map { Profile.Change(at: .seconds(1), conditions: $0) })
    }

    /// Whether nothing is decided by chance, so that a list of what went wrong is whole without a word about packets.
    package var isCertain: Bool {
        let all = [foreseen.conditions] + foreseen.changes.map(\.conditions)
        return all.allSatisfy { link in
            Direction.allCases.allSatisfy { direction in
                let conditions = link[direction]
                let loss = conditions.loss?.mean ?? 0
                return (loss == 0 || loss == 1) && conditions.duplicate == .zero && conditions.reorder == .zero
                    && conditions.corrupt == .zero
            }
        }
    }

    /// Of which random loss nothing can be said: a packet that is doubled is lost only where both are.
    package var doublesPackets: Bool {
        let all = [foreseen.conditions] + foreseen.changes.map(\.conditions)
        return all.contains { $0.downlink.duplicate > .zero || $0.uplink.duplicate > .zero }
    }
}

/// What may put a link in force.
package enum LinkFidelity: String, CaseIterable, Sendable {
    /// Streams are shaped, and loss is the stall that a retransmission costs.
    case modelled
    /// Packets are shaped.
    case packet
    /// Either, which a result says.
    case any
}
