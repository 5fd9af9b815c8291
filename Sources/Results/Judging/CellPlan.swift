/// What is asked of a cell: what must happen, within which budgets, and how often it is tried.
package struct CellPlan: Hashable, Sendable, Codable {
    package var expectations: [RequestExpectation]
    /// What must hold of the client's conduct beside.
    package var conduct: [ConductExpectation]
    package var budgets: [Budget]
    /// How many attempts count at least.
    package var attempts: Int
    /// How many attempts count at most; those that are repeated for noise are no part of them.
    package var maximumAttempts: Int
    /// In which the whole cell is; nil, the default, for none.
    package var quarantine: Quarantine?
    /// The day on which it is judged, `2026-12-31`, in UTC, which ends quarantines; by an empty text, the default, none.
    package var day = ""
    /// What budgets against a baseline compare with; nil, the default, for nothing, so that none of them is evaluated.
    package var comparison: Comparison?
    /// Which attempts are here; all of them by default.
    package var numbering = AttemptNumbering.all

    /// A plan of at least one attempt.
    ///
    /// `maximumAttempts` is never less than `attempts`; nil, the default, is three times as many.
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
    /// That more attempts were made than planned because a budget needs more; nil where that is not so.
    func raised(to made: Int) -> String? {
        let needs = budgets.max { $0.minimumAttempts < $1.minimumAttempts }
        guard let needs, needs.minimumAttempts > attempts, made > attempts, !isInterleaved else { return nil }
        return "'attempts: \(attempts)' was raised to \(made), because '\(needs.name)' needs at least "
            + "\(needs.minimumAttempts) attempts"
    }

    /// What to do after some attempts.
    package enum NextStep: Hashable, Sendable {
        /// Make another attempt, for this reason.
        case attempt(because: String)
        /// Nothing more would change the verdict, or no more attempts are allowed.
        case judge
    }

    /// Whether the attempts so far are enough.
    ///
    /// All planned attempts are made, failed ones too, for the report; trouble with the infrastructure ends a cell at
    /// once. Beyond the plan there are attempts while the verdict is inconclusive, up to the maximum. Where two take turns, so
    /// many are made of each; see ``arm(after:)``.
    package func next(after made: [AttemptRecord]) -> NextStep {
        let counted = made.filter(\.counts)
        let isBroken = counted.contains { $0.allFindings.contains { $0.attribution.row.subject != .client } }
        // What is repeated for noise takes nothing from the attempts that are allowed, and there is no more of it than of them.
        let most = maximumAttempts * (isInterleaved ? 2 : 1)
        guard !isBroken, counted.count < most, made.count < 2 * most else { return .judge }
        let judged = made.count(where: \.isJudged)
        guard judged == 0 || !isBlind(made) else { return .judge }
        if judged < attempts { return .attempt(because: "\(judged) of \(attempts) attempts made") }
        // Both sides of a comparison have as many.
        if isInterleaved, made.count(where: \.isCompared) != judged {
            return .attempt(because: "one attempt of a pair is missing")
        }
        let judgement = judge(made)
        guard judgement.verdict == .inconclusive else { return .judge }
        let undecided = judgement.checks.filter { $0.decides && $0.verdict == .inconclusive }.map(\.name)
        return .attempt(because: "too little evidence for \(undecided.joined(separator: ", "))")
    }
}
