import Documents
import Results
import Wording

extension Verdict {
    /// The word at the start of a line.
    var word: String {
        switch self {
        case .pass: "pass"
        case .infrastructure: "INFRA"
        case .inconclusive: "UNSURE"
        case .fail: "FAIL"
        }
    }

    /// The word for a check or a cell that does not count.
    static func lenientWord(_ verdict: Verdict) -> String { verdict == .pass ? verdict.word : "warn" }
}

extension Quarantine {
    /// Its end and reason; `isOver`: the check or cell counts again.
    fileprivate func text(isOver: Bool) -> String {
        (isOver ? "its quarantine ended on \(until)" : "in quarantine until \(until)") + ": \(reason)"
    }
}

extension RunResult {
    /// The counts by verdict: `3 cells: 1 failed, 2 passed`, or `2 of 3 cells: 2 passed, 1 unfinished`.
    var countText: String { countText(of: cells.map { ($0.verdict, $0.decides) }) }

    /// The same for cells that are not in memory, from the verdict of each and whether it counts.
    func countText(of cells: [(verdict: Verdict?, decides: Bool)]) -> String {
        let words: [(Verdict, String)] = [
            (.fail, "failed"), (.inconclusive, "inconclusive"), (.infrastructure, "with infrastructure trouble"),
            (.pass, "passed"),
        ]
        var counts = words.compactMap { verdict, word -> String? in
            let count =
                cells.count { $0.decides && $0.verdict == verdict }
                + (left?.count { $0.decides && $0.verdict == verdict } ?? 0)
            return count == 0 ? nil : "\(count) \(word)"
        }
        let lenient = cells.count { !$0.decides } + (left?.count { !$0.decides } ?? 0)
        if lenient > 0 { counts.append("\(lenient) in quarantine") }
        let unfinished = unfinishedCells?.count ?? 0
        let done = cells.count + (left?.count ?? 0)
        if unfinished > 0 { counts.append("\(unfinished) unfinished") }
        let planned = done + unfinished
        return (unfinished == 0 ? "" : "\(done) of ") + "\(planned.counted("cell")): "
            + counts.joined(separator: ", ")
    }

    /// What the exit code means, as a sentence; if the process ends with another one, that code and why.
    func exitText(_ process: ProcessStatus? = nil) -> String {
        guard let process else { return "Exit code \(exitCode): \(exitMeaning)." }
        return "Exit code \(process.code): \(process.reason) The run itself: \(exitMeaning)."
    }

    private var exitMeaning: String {
        switch exitCode {
        case 0 where verdict == .inconclusive:
            "too little evidence for a verdict, which --on-inconclusive allows"
        case 0 where lenientChecks > 0:
            "every check that counts was measured and held; \(lenientChecks) that \(lenientChecks == 1 ? "does" : "do") not count did not pass"
        case 0: "every check was measured and held"
        case 1: "Headwind itself failed"
        case 65: "a scenario is wrong; this says nothing about the client"
        case 69: "this machine lacks a capability"
        case 75 where !isWhole: "the run has not finished, and missing data never passes"
        case 75: "infrastructure trouble; this says nothing about the client. Run again"
        case 98: "too little evidence for a verdict"
        case 99: "the client broke a budget or an expectation"
        case 130: "interrupted"
        case 143: "terminated"
        default: "see the table of exit codes"
        }
    }

    /// The number of checks that did not hold and do not count, because of an advisory budget or a quarantine.
    private var lenientChecks: Int {
        cells.map(\.lenientChecks).reduce(left?.lenientChecks ?? 0, +)
    }

    /// The command line, quoted for a shell.
    var commandText: String { commandLine.map(\.shellQuoted).joined(separator: " ") }

    /// Time, attempts and seed of the run.
    var factText: String {
        let attempts = cells.map(\.attempts.count).reduce(0, +) + (left?.attempts ?? 0)
        let seconds = Quantity(durationSeconds, .seconds).rounded()
        let seeds = seed.map { ", seed \($0)" } ?? ""
        return "\(attempts.counted("attempt")) in \(seconds)\(seeds), headwind \(toolVersion)"
    }
}

extension CellResult {
    /// The profile and backend of the link, and the number of attempts.
    func linkText(isVerbose: Bool = true) -> String {
        if attempts.isEmpty { return "\(link.profile), planned for \(link.backend); there was no attempt" }
        var parts = ["\(link.profile) by \(link.backend) (fidelity: \(link.fidelity))"]
        if let asked = link.fidelityAsked, asked != link.fidelity {
            parts.append("not comparable: \(asked) was requested")
        }
        // On a modelled link this is the congestion control of the sockets on both sides, which has no effect.
        if let control = link.congestionControl, link.fidelity != "modelled" {
            parts.append("congestion control \(control)\(link.isCongestionControlPinned ? "" : " (as met)")")
        }
        if let client { parts.append("client \(client)") }
        parts.append(attemptText(isVerbose: isVerbose))
        if let baseline {
            let way = baseline.kind == .interleaved ? "in turns with" : "of the baseline"
            parts.append("\(baseline.attempts) \(way) \(baseline.name)")
        }
        return parts.joined(separator: ", ")
    }

    /// How many attempts count, and how many had to be repeated.
    func attemptText(isVerbose: Bool) -> String {
        let repeated = isVerbose ? attempts.count { !$0.counts } : 0
        return countedAttempts.count.counted("attempt")
            + (repeated > 0 ? " and \(repeated) repeated (the machine was too busy)" : "")
    }

    /// The word at the start of its line.
    var word: String { decides ? verdict.word : Verdict.lenientWord(verdict) }

    /// Its quarantine, if any, and why it was run twice.
    var gatingTexts: [String] { [quarantine?.text(isOver: gating == nil), againText].compactMap { $0 } }

    /// A sentence that it was run twice, and why; nil if it was not.
    var againText: String? { retriedInfrastructure.map { "this is the second try: \($0)" } }

    /// The scenario's title, if it differs from the cell's name.
    var titles: [String] { [title].compactMap { $0 }.filter { $0 != name && !$0.isEmpty } }

    /// The set and measured values of the link in all attempts that count, and why some are unverified.
    ///
    /// There is one text for each property and direction.
    var measurementTexts: [String] {
        let rows = measurements
        let unset = rows.allSatisfy { $0.allSatisfy { $0.set == nil } }
        let shown = rows.flatMap { $0 }.filter { $0.set != nil || unset }
        let reasons = shown.compactMap(\.whyUnverified).grouped { $0 }.map { $0[0] }
        // A property that was neither set nor measured gets no line.
        return rows.filter { $0.contains { $0.set != nil || $0.measured != nil } }.compactMap(Self.text)
            + reasons.map { "unverified: \($0)" }
    }

    /// The set and measured values of properties that were out of tolerance in some attempt.
    var deviationTexts: [String] {
        measurements.filter { $0.contains { $0.isWithinTolerance == false } }.compactMap(Self.text)
    }

    /// The measurements of the link in attempts that count, by property and direction.
    var measurements: [[LinkMeasurement]] { countedAttempts.flatMap(\.link).grouped(by: \.name) }

    private static func text(_ group: [LinkMeasurement]) -> String? {
        guard var middle = group.first else { return nil }
        let measured = group.compactMap(\.measured)
        middle.measured = Statistics.median(measured)
        let off = group.count { $0.isWithinTolerance == false }
        let unverified = group.count { $0.set != nil && $0.measured == nil }
        var text = middle.text
        if off > 0 { text += ", out of tolerance in \(off) of \(group.count)" }
        if unverified > 0, unverified < group.count { text += ", unverified in \(unverified) of \(group.count)" }
        return text
    }

    /// One finding of each kind, with the number of the others; the result has their details.
    var findingsByKind: [Finding] {
        findings.grouped(by: \.attribution).map { group in
            let finding = group[0]
            guard group.count > 1 else { return finding }
            let text = "\(finding.detail.withoutFullStop), and \(group.count - 1) more"
            return Finding(finding.attribution, text, attempt: finding.attempt)
        }
    }

    /// The client's last output lines in the first attempt that counts and has output; empty for a cell that passes.
    var lastWords: [String] {
        guard verdict != .pass else { return [] }
        let attempt = countedAttempts.first { !($0.clientOutput ?? []).isEmpty }
        return attempt?.clientOutput?.suffix(Self.shownWords) ?? []
    }

    /// The most lines of a client's output that a report shows; the result has more.
    private static let shownWords = 5

    /// The bugs that explain its failures.
    var bugs: [BugText] { failures.compactMap { BugText($0) } }

    /// The most sentences of advice that a report shows for a cell.
    static let shownAdvice = 3

    /// How to repeat a failure, as a line for people; empty if there is no bundle.
    var again: [String] { replayCommand.map { ["again: \($0)"] } ?? [] }

    /// Where to look for the reason of a verdict other than pass.
    var places: [String] {
        guard verdict != .pass else { return [] }
        let broken = checks.flatMap(\.brokenIn) + findings.compactMap(\.attempt)
        var places = bundle.map { [$0] } ?? []
        if let first = broken.min() {
            places.append("events.jsonl, cell \(scenario.jsonQuoted), attempt \(first)")
        }
        return places
    }
}

extension CheckResult {
    /// The word at the start of its line.
    var word: String { decides ? verdict.word : Verdict.lenientWord(verdict) }

    /// Its quarantine, or that it is advisory; nil if it is neither.
    var gatingText: String? {
        if let quarantine { return quarantine.text(isOver: gating == nil) }
        return gating == .advisory ? "advisory: it decides nothing" : nil
    }

    /// The check's name with its kind: `budget:time_to_available.median`.
    var title: String { (kind == .budget ? "budget:" : "expect:") + name }

    /// The limit with the value of its basis; nil if the sentence already says as much.
    var askedText: String? { basisText.map { "asked for \(asked), where \($0)" } }

    /// The basis that a limit is a multiple of, with its value; nil if there is none.
    var basisText: String? {
        guard let evidence, let basis = evidence.basis, let value = evidence.basisValue else { return nil }
        return "\(basis.rawValue) is \(Quantity(value, evidence.unit).rounded())"
    }
}
