/// What budgets against a baseline compare with.
package struct Comparison: Hashable, Sendable, Codable {
    package enum Source: Hashable, Sendable, Codable {
        /// Attempts of another client, or at another host, which take turns with the tested one's.
        case interleaved
        /// What an earlier run measured, an attempt each.
        case stored([Samples])
        /// Why there is nothing to compare with.
        case refused(Finding)
    }

    package var source: Source
    /// How many cells of the run are compared: all of them together are to give no false alarm.
    package var cells: Int

    package init(_ source: Source, cells: Int = 1) {
        self.source = source
        self.cells = max(1, cells)
    }

    /// The most that a false alarm may happen in a run, whatever the noise is like.
    package static let alpha = 0.005

    /// The fewest attempts of each side: with four the least probability is 1 of 70.
    package static let fewestAttempts = 5
}

extension CellPlan {
    /// The budgets that compare with a baseline.
    package var comparedBudgets: [Budget] { budgets.filter { $0.bound.basis == .baseline } }

    /// Whether attempts of two sides take turns.
    package var isInterleaved: Bool { comparison?.source == .interleaved && !comparedBudgets.isEmpty }

    /// Whose the next attempt is: in the order A B B A A B B A …, so that what drifts meets both alike.
    ///
    /// One that does not count is made again by the same side.
    package func arm(after made: [AttemptRecord]) -> Arm? {
        guard isInterleaved else { return nil }
        let (tested, compared) = (made.count(where: \.isJudged), made.count(where: \.isCompared))
        guard tested == compared else { return tested > compared ? .baseline : nil }
        return tested.isMultiple(of: 2) ? nil : .baseline
    }

    /// Whether the budget decides about the cell, today.
    func isDeciding(_ budget: Budget) -> Bool {
        switch budget.gating {
        case .blocking: true
        case .advisory: false
        case .quarantined(let quarantine): quarantine.isOver(on: day)
        }
    }

    /// How often it may be looked whether the attempts suffice: after the planned ones, and after each that is added.
    var looks: Int { maximumAttempts - attempts + 1 }

    /// The fewest attempts, at most, of each side with which a regression can be told from chance; nil where none suffice.
    ///
    /// Each look, each cell and each budget has its share of ``Comparison/alpha``. A stored baseline has its attempts, and no more.
    package func neededAttempts(cells: Int, stored: Int? = nil) -> Int? {
        let tests = comparedBudgets.count { isDeciding($0) && !$0.metric.isExact }
        guard tests > 0 else { return 1 }
        return (max(attempts, Comparison.fewestAttempts)...10_000).first { most in
            let share = Comparison.alpha / Double(tests * max(1, cells) * (most - attempts + 1))
            return RankSum.leastProbability(most, stored ?? most) <= share
        }
    }
}
