/// The features by which a failure is recognised when it recurs: names of what was broken and error numbers, no
/// messages.
package struct FailureFingerprint: Hashable, Sendable, Codable {
    /// Unexpected outcomes of requests, and findings about the client, sorted: `available: error exit 28`,
    /// `client_failed`.
    package var outcomes: [String]
    /// The names of budgets, and of requirements on the client's conduct, that the attempt breaks by itself, sorted.
    package var budgets: [String]

    package init(outcomes: some Sequence<String>, budgets: some Sequence<String>) {
        self.outcomes = Set(outcomes).sorted()
        self.budgets = Set(budgets).sorted()
    }

    package var isEmpty: Bool { outcomes.isEmpty && budgets.isEmpty }

    /// Whether this is the same failure as `other`.
    ///
    /// The outcomes must be equal. If only budgets were broken, one common budget is enough, because several budgets on
    /// times are rarely all broken.
    package func isAgain(_ other: FailureFingerprint) -> Bool {
        guard !other.isEmpty, outcomes == other.outcomes else { return false }
        return !outcomes.isEmpty || !Set(budgets).isDisjoint(with: other.budgets)
    }
}

extension FailureFingerprint: CustomStringConvertible {
    /// The names, as a list.
    package var description: String { (outcomes + budgets).joined(separator: ", ") }
}

extension CellPlan {
    /// What one attempt breaks by itself, regardless of others.
    package func fingerprint(of attempt: AttemptRecord) -> FailureFingerprint {
        let alone = judge([attempt])
        let broken = expectations.flatMap { expected in
            attempt.requests.filter { !expected.isMet(by: $0) }.map { "\(expected.name): \($0.kind)" }
        }
        let found = alone.findings.filter { $0.attribution.row.subject == .client }.map(\.attribution.rawValue)
        let words = Set(conduct.map(\.word.rawValue))
        let budgets = alone.checks.filter { check in
            check.decides && !check.brokenIn.isEmpty && (check.kind == .budget || words.contains(check.name))
        }.map(\.name)
        return FailureFingerprint(outcomes: broken + found, budgets: budgets)
    }
}

extension RequestOutcome {
    /// The outcome without times and messages.
    fileprivate var kind: String {
        switch result {
        case .available: "available"
        case .noCallback: "no callback"
        case .unknown: "unknown"
        case .error: "error" + [domain, code.map(String.init)].compactMap { $0 }.map { " \($0)" }.joined()
        }
    }
}

extension CellResult {
    /// The first attempt that broke what made the cell fail; nil if it did not fail, or if no attempt did so by itself.
    package var firstBrokenAttempt: AttemptRecord? {
        guard verdict == .fail else { return nil }
        let broken =
            checks.filter { $0.decides && $0.verdict == .fail }.flatMap(\.brokenIn)
            + findings.filter { $0.attribution.row.subject == .client }.compactMap(\.attempt)
        return countedAttempts.first { broken.contains($0.number) }
    }
}
