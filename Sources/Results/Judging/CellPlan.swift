/// The requirements on a cell: its expectations, its budgets and its number of attempts.
package struct CellPlan: Hashable, Sendable, Codable {
    package var expectations: [RequestExpectation]
    /// The requirements on the client's conduct.
    package var conduct: [ConductExpectation]
    package var budgets: [Budget]
    /// The fewest attempts that must count, at least 1.
    package var attempts: Int
    /// The most attempts that may count; those that are repeated for noise are not included.
    package var maximumAttempts: Int
    /// The quarantine of the whole cell; nil, the default, for none.
    package var quarantine: Quarantine?
    /// The day of the judgement, `2026-12-31`, in UTC, which ends quarantines; empty, the default, ends none.
    package var day = ""
    /// The baseline that budgets compare with; nil, the default, for none, so that no such budget is evaluated.
    package var comparison: Comparison?
    /// How the attempts are numbered; by default all of them are here.
    package var numbering = AttemptNumbering.all

    /// A plan of at least one attempt.
    ///
    /// `maximumAttempts` is at least `attempts`; nil, the default, is three times as many.
    package init(
        expectations: [RequestExpectation] = [],
        conduct: [ConductExpectation] = [],
        budgets: [Budget] = [],
        attempts: Int,
        maximumAttempts: Int? = nil
    ) {
        precondition(attempts > 0, "a cell needs an attempt")
        self.expectations = expectations
        self.conduct = conduct
        self.budgets = budgets
        self.attempts = attempts
        self.maximumAttempts = max(attempts, maximumAttempts ?? 3 * attempts)
    }
}

extension CellPlan {
    /// A note that more attempts were made than planned because a budget needs more; nil if that is not so.
    func raised(to made: Int) -> String? {
        let needs = budgets.max { $0.minimumAttempts < $1.minimumAttempts }
        guard let needs, needs.minimumAttempts > attempts, made > attempts, !isInterleaved else { return nil }
        return "'attempts: \(attempts)' was raised to \(made), because '\(needs.name)' needs at least "
            + "\(needs.minimumAttempts) attempts"
    }

    /// What to do after the attempts so far.
    package enum NextStep: Hashable, Sendable {
        /// Make another attempt, for this reason.
        case attempt(because: String)
        /// Judge the cell: nothing would change the verdict, or no more attempts are allowed.
        case judge
    }

    /// Whether the attempts so far are enough.
    ///
    /// All planned attempts are made, including failed ones, for the report; trouble with the infrastructure ends a
    /// cell at once. After the planned ones, attempts are added while the verdict is inconclusive, up to the maximum.
    /// In a comparison both sides make the same number; see ``arm(after:)``.
    package func next(after made: [AttemptRecord]) -> NextStep {
        let counted = made.filter(\.counts)
        let isBroken = counted.contains { $0.allFindings.contains { $0.attribution.row.subject != .client } }
        // Attempts that are repeated for noise are extra, but there may be no more of them than of allowed attempts.
        let most = maximumAttempts * (isInterleaved ? 2 : 1)
        guard !isBroken, counted.count < most, made.count < 2 * most else { return .judge }
        let judged = made.count(where: \.isJudged)
        guard judged == 0 || !isBlind(made) else { return .judge }
        if judged < attempts { return .attempt(because: "\(judged) of \(attempts) attempts made") }
        // Both sides of a comparison have the same number.
        if isInterleaved, made.count(where: \.isCompared) != judged {
            return .attempt(because: "one attempt of a pair is missing")
        }
        let judgement = judge(made)
        guard judgement.verdict == .inconclusive else { return .judge }
        let undecided = judgement.checks.filter { $0.decides && $0.verdict == .inconclusive }.map(\.name)
        return .attempt(because: "too little evidence for \(undecided.joined(separator: ", "))")
    }
}
