import KernelLink
package import LinkModel
package import Scenarios

/// A link that the kernel's queues are to be, with all that is to become of it.
package struct KernelSetup: Sendable {
    /// What the link follows.
    package var profile: Profile
    /// What it becomes meanwhile.
    package var faults: [LinkFault]
    /// What random numbers start from, on kernels that take it.
    package var seed: UInt64

    package init(profile: Profile, faults: [LinkFault] = [], seed: UInt64 = 0) {
        (self.profile, self.faults, self.seed) = (profile, faults, seed)
    }

    /// What holds at first, and as changes all that can hold later, whenever that is: queues are there from the start for all of it.
    var foreseen: Profile {
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

    /// Everything that the kernel's queues cannot do of it, whatever the machine; as clauses.
    package var obstacles: [String] {
        let others = faults.compactMap { fault in
            if case .profile(let profile) = fault.effect { profile } else { nil }
        }
        var found: [UnsupportedProperty] = []
        for profile in [profile] + others + [foreseen] {
            found += KernelObstacles.find(in: profile).filter { !found.contains($0) }
        }
        var clauses = found.map { "\($0.property) (\($0.reason))" }
        if faults.contains(where: { $0.effect == .cut }) {
            clauses.append("'link: cut' (its queues drop packets, and reset no connection)")
        }
        return clauses
    }

    /// Whether nothing is decided by chance, so that a list of what went wrong is whole without a word about packets.
    var isCertain: Bool {
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
    var doublesPackets: Bool {
        let all = [foreseen.conditions] + foreseen.changes.map(\.conditions)
        return all.contains { $0.downlink.duplicate > .zero || $0.uplink.duplicate > .zero }
    }
}
