/// What a link has decided about packets so far, as much of it as is kept.
package struct FaultRecord: Sendable, Hashable {
    /// What keyed the decisions.
    package let seed: UInt64
    /// ``Profile/fingerprint`` of the link.
    package let profile: UInt64
    /// In the order in which they were taken, ``FaultSchedule/mostLines`` at most.
    package private(set) var decisions: [Decision] = []
    /// Decisions that were too many to be kept.
    package private(set) var omitted = 0
    /// Faults of the schedule that was played that no packet has met; 0 where none is played.
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

    /// The list that has all of it happen again.
    package var schedule: FaultSchedule {
        FaultSchedule(seed: seed, profile: profile, omitted: omitted, lines: decisions.map { .packet($0.fault) })
    }
}
