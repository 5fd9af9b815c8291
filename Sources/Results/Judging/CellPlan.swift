/// What is asked of a cell: what must happen, within which budgets, and how often it is tried.
package struct CellPlan: Hashable, Sendable {
    package var expectations: [RequestExpectation]
    /// What must hold of the client's conduct beside.
    package var conduct: [ConductExpectation]
    package var budgets: [Budget]
    /// How many attempts count at least.
    package var attempts: Int
    /// How many attempts are made at most, those that do not count among them.
    package var maximumAttempts: Int
    /// In which the whole cell is; nil, the default, for none.
    package var quarantine: Quarantine?
    /// The day on which it is judged, `2026-12-31`, in UTC, which ends quarantines; by an empty text, the default, none.
    package var day = ""

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
    /// once. Beyond the plan there are attempts while the verdict is inconclusive, up to the maximum.
    package func next(after made: [AttemptRecord], baseline: MetricValues = [:]) -> NextStep {
        let counted = made.filter(\.counts)
        let isBroken = counted.contains { $0.allFindings.contains { $0.attribution.row.subject != .client } }
        guard !isBroken, made.count < maximumAttempts else { return .judge }
        if counted.count < attempts { return .attempt(because: "\(counted.count) of \(attempts) attempts made") }
        let judgement = judge(made, baseline: baseline)
        guard judgement.verdict == .inconclusive else { return .judge }
        let undecided = judgement.checks.filter { $0.decides && $0.verdict == .inconclusive }.map(\.name)
        return .attempt(because: "too little evidence for \(undecided.joined(separator: ", "))")
    }
}
