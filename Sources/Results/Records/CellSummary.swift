/// What the totals need to know of a cell whose numbers are elsewhere.
package struct CellSummary: Hashable, Sendable {
    package var name: String
    package var scenario: String
    package var outcome: CellTally.Outcome
    /// How many attempts were made, including those that do not count.
    package var attempts: Int
    /// How many checks did not pass, but decide nothing.
    package var lenientChecks: Int
    /// What shaped its link, without the profile's name; nil for a cell without an attempt, which had no link.
    package var link: LinkFacts?

    package init(_ cell: CellResult) {
        (name, scenario, outcome) = (cell.name, cell.scenario, cell.outcome)
        (attempts, lenientChecks) = (cell.attempts.count, cell.lenientChecks)
        guard attempts > 0 else { return }
        link = cell.link
        link?.profile = ""
    }
}

/// The number of cells with each outcome, for cells that are not in a result's list.
///
/// The list of a very large run has only its worst cells.
package struct CellTally: Hashable, Sendable {
    /// The outcome of a cell.
    package struct Outcome: Hashable, Sendable {
        package var verdict: Verdict
        package var exitCode: Int32
        /// Whether its verdict affects the run's verdict.
        package var decides: Bool
    }

    package private(set) var outcomes: [Outcome: Int] = [:]
    /// How many links there were of each kind, without the profiles' names.
    package private(set) var links: [LinkFacts: Int] = [:]
    package private(set) var attempts = 0
    package private(set) var lenientChecks = 0

    package init() {}

    package mutating func add(_ cell: CellSummary) {
        outcomes[cell.outcome, default: 0] += 1
        if let link = cell.link { links[link, default: 0] += 1 }
        attempts += cell.attempts
        lenientChecks += cell.lenientChecks
    }

    /// How many cells there are.
    package var count: Int { outcomes.values.reduce(0, +) }

    /// The number of cells with such an outcome.
    package func count(where isMeant: (Outcome) -> Bool) -> Int {
        outcomes.filter { isMeant($0.key) }.values.reduce(0, +)
    }
}
