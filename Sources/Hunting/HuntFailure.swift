package import Results

/// What a client did wrong in a hunt; two failures of one kind are equal.
package struct HuntFailure: Hashable, Sendable {
    package var severity: ClientReport.Severity
    package var cause: CellFailure.Cause
    /// Whether the client is a program that downloads from a host that is not Headwind's.
    package var isOfProgram = false

    /// The failure of an attempt's cell; nil if it did not fail.
    package init?(of cell: CellResult) {
        guard let severity = cell.severity, let cause = cell.failures.first?.cause else { return nil }
        (self.severity, self.cause) = (severity, cause)
        isOfProgram = cell.countedAttempts.contains { $0.conduct?.connections != nil }
    }
}

extension HuntFailure {
    /// What is wrong, as a sentence without a full stop.
    package var conclusion: String {
        if case .bug = cause { return cause.conclusion.droppingFullStop }
        if case .check(.budget, _) = cause, severity == .wasteful { return cause.conclusion.droppingFullStop }
        if isOfProgram, case .check(.expectation, ConductExpectation.Word.oracle.rawValue) = cause {
            return "The oracle rejects its result"
        }
        // The others are about a pack, which a program of the user's need not have.
        if isOfProgram, ![.crashes, .hangs, .givesUp].contains(severity) { return cause.conclusion.droppingFullStop }
        return switch severity {
        case .insecure: "It accepts data from an unverified sender, or leaks secrets"
        case .wrongData: "It reports success, and the file is not the pack"
        case .crashes: "It crashes"
        case .losesData: "It changes or removes files that were there before"
        case .claimsSuccess: "It reports success without the pack"
        case .hangs: "It does not end in time"
        case .givesUp: "It ends with an error instead of trying again"
        case .wasteful: "It asks for more than it needs"
        }
    }
}

/// A confirmed failure, with the fewest faults that show it.
package struct HuntedBug: Sendable {
    package var failure: HuntFailure
    package var candidate: Candidate
    /// In how many of the plays of these faults the failure came back.
    package var withFaults: PlayCount
    /// The number of the attempt that found it, from 1.
    package var foundAt: Int
    /// How many faults the attempt that found it had.
    package var foundWith: Int
    /// How many plays it took to reduce the faults.
    package var shrinkingPlays: Int
    /// Whether these are the fewest and simplest faults; false if time was short, or the failure too rare.
    package var isReduced: Bool
    /// How many other attempts of the hunt failed in the same way.
    package var others = 0
    /// In how many of the attempts without faults the failure came.
    package var withoutFaults = PlayCount()
    /// Whether sentences name the pack of a request, because the client downloads several.
    package var namesPacks = false

    /// Wilson's 95 % interval for how often the failure comes back with these faults.
    package var interval: ClosedRange<Double>? {
        Statistics.wilson(successes: withFaults.cameBack, trials: withFaults.plays)
    }

    /// What the client does, and when, as a sentence.
    package var paragraph: String {
        let conclusion = failure.conclusion
        let words = candidate.words(namingPacks: namesPacks)
        return "\(conclusion)\(conclusion.contains(" when ") ? ":" : " when") \(words)."
    }
}

extension String {
    fileprivate var droppingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
