/// The baseline that budgets compare with.
package struct Comparison: Hashable, Sendable, Codable {
    package enum Source: Hashable, Sendable, Codable {
        /// Attempts of another client or at another host, which alternate with those of the tested side.
        case interleaved
        /// The samples of an earlier run, one element for each attempt.
        case stored([Samples])
        /// There is no usable baseline, for this reason.
        case refused(Finding)
    }

    package var source: Source
    /// How many cells of the run are compared, at least 1; the limit ``alpha`` holds for all of them together.
    package var cells: Int

    package init(_ source: Source, cells: Int = 1) {
        self.source = source
        self.cells = max(1, cells)
    }

    /// The largest probability of a false alarm in a run, however the noise is distributed.
    package static let alpha = 0.005

    /// The fewest attempts of each side: with 4, the smallest possible probability is 1 in 70.
    package static let fewestAttempts = 5
}

extension CellPlan {
    /// The budgets that compare with a baseline.
    package var comparedBudgets: [Budget] { budgets.filter { $0.bound.basis == .baseline } }

    /// Whether attempts of the tested side and of the baseline alternate.
    package var isInterleaved: Bool { comparison?.source == .interleaved && !comparedBudgets.isEmpty }

    /// The side that makes the next attempt: nil is the tested one.
    ///
    /// The order is A B B A A B B A …, so that drift affects both sides alike. If an attempt does not count, the same
    /// side makes another.
    package func arm(after made: [AttemptRecord]) -> Arm? {
        guard isInterleaved else { return nil }
        let (tested, compared) = (made.count(where: \.isJudged), made.count(where: \.isCompared))
        guard tested == compared else { return tested > compared ? .baseline : nil }
        return tested.isMultiple(of: 2) ? nil : .baseline
    }

    /// Whether the budget decides about the cell on ``day``.
    func isDeciding(_ budget: Budget) -> Bool {
        switch budget.gating {
        case .blocking: true
        case .advisory: false
        case .quarantined(let quarantine): quarantine.isOver(on: day)
        }
    }

    /// How often the attempts can be judged: after the planned ones, and after each further one up to the maximum.
    var looks: Int { maximumAttempts - attempts + 1 }

    /// The smallest maximum of attempts of each side with which a regression can be distinguished from chance.
    ///
    /// Nil if 10,000 do not suffice; 1 if no deciding budget has noise. ``Comparison/alpha`` is divided among the
    /// looks, the cells and the budgets. `stored` is the number of attempts of a stored baseline, which stays the same.
    package func neededAttempts(cells: Int, stored: Int? = nil) -> Int? {
        let tests = comparedBudgets.count { isDeciding($0) && !$0.metric.isExact }
        guard tests > 0 else { return 1 }
        return (max(attempts, Comparison.fewestAttempts)...10_000).first { most in
            let share = Comparison.alpha / Double(tests * max(1, cells) * (most - attempts + 1))
            return RankSum.leastProbability(most, stored ?? most) <= share
        }
    }
}
