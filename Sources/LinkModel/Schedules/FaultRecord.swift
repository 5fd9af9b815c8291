/// A link's decisions about packets so far, up to a limit.
package struct FaultRecord: Sendable, Hashable {
    /// The seed of the decisions.
    package let seed: UInt64
    /// ``Profile/fingerprint`` of the link.
    package let profile: UInt64
    /// In the order in which they were taken; ``FaultSchedule/mostLines`` at most by default.
    package private(set) var decisions: [Decision] = []
    /// The number of decisions beyond the limit, which are not kept.
    package private(set) var omitted = 0
    /// Faults of the schedule that no packet has met; 0 without a schedule.
    package var unmet = 0

    private let limit: Int

    package init(seed: UInt64, profile: UInt64, limit: Int = FaultSchedule.mostLines) {
        self.seed = seed
        self.profile = profile
        self.limit = limit
    }

    package mutating func append(_ decision: Decision) {
        if decisions.count < limit {
            decisions.append(decision)
        } else {
            omitted += 1
        }
    }

    /// The schedule that repeats the decisions.
    package var schedule: FaultSchedule {
        FaultSchedule(seed: seed, profile: profile, omitted: omitted, lines: decisions.map { .packet($0.fault) })
    }
}
