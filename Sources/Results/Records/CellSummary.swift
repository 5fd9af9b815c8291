/// What is counted of a cell, whose numbers are elsewhere.
package struct CellSummary: Hashable, Sendable {
    package var name: String
    package var scenario: String
    package var verdict: Verdict
    package var exitCode: Int32
    /// Whether its verdict counts for the run's.
    package var decides: Bool
    /// How many attempts were made, those that do not count among them.
    package var attempts: Int
    /// How many checks did not hold and decide nothing.
    package var lenientChecks: Int
    /// What shaped its link, without the profile's name; nil of a cell without an attempt, which had no link.
    package var link: LinkFacts?

    package init(_ cell: CellResult) {
        (name, scenario) = (cell.name, cell.scenario)
        (verdict, exitCode, decides) = (cell.verdict, cell.exitCode, cell.decides)
        attempts = cell.attempts.count
        lenientChecks = cell.checks.count { $0.verdict != .pass && !($0.decides && cell.decides) }
        guard attempts > 0 else { return }
        link = cell.link
        link?.profile = ""
    }
}

/// How many cells came to what, of those that are not in a result's list: that of a very large run has its worst cells alone.
package struct CellTally: Hashable, Sendable {
    /// What a cell came to.
    package struct Outcome: Hashable, Sendable {
        package var verdict: Verdict
        package var exitCode: Int32
        package var decides: Bool
    }

    package private(set) var outcomes: [Outcome: Int] = [:]
    /// How many links there were of each kind, without the profiles' names.
    package private(set) var links: [LinkFacts: Int] = [:]
    package private(set) var attempts = 0
    package private(set) var lenientChecks = 0

    package init() {}

    package mutating func add(_ cell: CellSummary) {
        outcomes[Outcome(verdict: cell.verdict, exitCode: cell.exitCode, decides: cell.decides), default: 0] += 1
        if let link = cell.link { links[link, default: 0] += 1 }
        attempts += cell.attempts
        lenientChecks += cell.lenientChecks
    }

    /// How many cells there are.
    package var count: Int { outcomes.values.reduce(0, +) }

    /// How many cells are such.
    package func count(where isMeant: (Outcome) -> Bool) -> Int {
        outcomes.filter { isMeant($0.key) }.values.reduce(0, +)
    }
}
