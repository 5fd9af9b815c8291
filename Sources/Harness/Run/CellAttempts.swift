import Results

/// Makes the attempts of a cell: the planned ones at once, as far as there are places, and any further ones in
/// sequence.
///
/// The result is the same as in sequence: attempts that would not have been made then are left out.
struct CellAttempts: Sendable {
    /// The place of an attempt among the others.
    struct Turn: Sendable, Equatable {
        /// The number of the attempt, from 1.
        var number: Int
        var arm: Arm?
        /// The number of its pair, from 0; nil if the cell has no pairs.
        var pair: Int?
    }

    /// Attempts that run in sequence: one of each arm, and repetitions of those that did not count.
    private struct Lane {
        let pair: Int?
        var arms: [Arm?]
        /// Numbers that are reserved for the lane.
        var numbers: [Int]
        let seat: Seat
    }

    private enum Event: Sendable {
        case seated
        case made(Turn, lane: Int, AttemptOutcome)
    }

    let plan: CellPlan
    /// The cell's own seat.
    let seat: Seat
    /// Whether the machine has room for another attempt in addition to `beside` others.
    let mayGoOn: @Sendable (_ beside: Int) -> Bool
    let make: @Sendable (Turn, Seat) async throws -> AttemptOutcome

    /// The attempts by number, and how many were begun; some may have been begun in vain.
    func perform() async throws -> (made: [AttemptOutcome], begun: Int) {
        var lanes: [Int: Lane] = [:]
        var asked: Seat?
        // Runs once no attempt runs any more.
        defer {
            asked?.end()
            for lane in lanes.values where lane.seat !== seat { lane.seat.end() }
        }
        return try await withThrowingTaskGroup(of: Event.self) { group in
            var made: [Int: AttemptOutcome] = [:]
            // The attempts from the first on, without gaps.
            var whole: [AttemptOutcome] = []
            var begun = 0
            var lanesBegun = 0
            let most = 2 * plan.maximumAttempts * (plan.isInterleaved ? 2 : 1)

            func go(on index: Int) {
                guard var lane = lanes[index], let arm = lane.arms.first else { return }
                if lane.numbers.isEmpty {
                    begun += 1
                    lane.numbers = [begun]
                }
                let turn = Turn(number: lane.numbers.removeFirst(), arm: arm, pair: lane.pair)
                lanes[index] = lane
                let seat = lane.seat
                group.addTask {
                    try await seat.renew()
                    return .made(turn, lane: index, try await make(turn, seat))
                }
            }
            func begin(_ arms: [Arm?], _ pair: Int?, on seat: Seat) {
                // Attempts of a pair have consecutive numbers, even if others begin in between.
                let numbers = arms.indices.map { begun + $0 + 1 }
                begun += arms.count
                lanes[lanesBegun] = Lane(pair: pair, arms: arms, numbers: numbers, seat: seat)
                lanesBegun += 1
                go(on: lanesBegun - 1)
            }
            func beginPlanned(on seat: Seat) {
                let isPair = plan.isInterleaved
                let arms: [Arm?] =
                    isPair ? lanesBegun.isMultiple(of: 2) ? [nil, .baseline] : [.baseline, nil] : [nil]
                begin(arms, isPair ? lanesBegun : nil, on: seat)
            }

            while true {
                while let next = made[whole.count + 1] {
                    whole.append(next)
                    if plan.next(after: whole.map(\.record)) == .judge {
                        group.cancelAll()
                        return (whole, begun)
                    }
                }
                let isOwnFree = !lanes.values.contains { $0.seat === seat }
                if lanesBegun < plan.attempts, isOwnFree, lanes.isEmpty || mayGoOn(lanes.count) {
                    beginPlanned(on: seat)
                    continue
                }
                if lanes.isEmpty {
                    let records = whole.map(\.record)
                    let arm = plan.arm(after: records)
                    let pair = plan.isInterleaved ? records.count { $0.counts && $0.arm == arm } : nil
                    begin([arm], pair, on: seat)
                }
                if lanesBegun < plan.attempts, asked == nil, mayGoOn(lanes.count) {
                    let another = seat.another()
                    asked = another
                    group.addTask {
                        try await another.wait()
                        return .seated
                    }
                }
                switch try await group.next() {
                case nil: return (whole, begun)
                case .seated:
                    if let another = asked {
                        if lanesBegun < plan.attempts { beginPlanned(on: another) } else { another.end() }
                    }
                    asked = nil
                case .made(let turn, let index, let outcome):
                    made[turn.number] = outcome
                    if outcome.record.counts { lanes[index]?.arms.removeFirst() } else { seat.spoilt() }
                    guard let lane = lanes[index] else { continue }
                    if lane.arms.isEmpty || lane.numbers.isEmpty && begun >= most {
                        lanes[index] = nil
                        if lane.seat !== seat { lane.seat.end() }
                    } else {
                        go(on: index)
                    }
                }
            }
        }
    }
}
