import Results
import Wording

/// A short summary of one cell, or of one check of a client.
struct PageRow: Sendable {
    /// A failure by its cause.
    struct Failure: Sendable {
        /// What is wrong, as a sentence.
        var conclusion: String
        var bug: String?
        /// The evidence, as a sentence.
        var evidence: String
        /// What a good client does.
        var advice: [String]
    }

    var name: String
    var title: String?
    /// Nil for a check that is not observable: it neither holds nor fails.
    var state: Verdict?
    /// Whether it counts for the overall verdict.
    var decides = true
    /// The worst about it, in one line; nil if nothing is wrong.
    var worst: String?
    var failures: [Failure] = []
    /// The command that reproduces the failure; nil if nothing was kept.
    var again: String?
    /// Its severity among those with the same state, from 0, the worst.
    var rank = 0

    /// From a redacted cell.
    init(_ cell: CellResult) {
        name = cell.name
        title = cell.titles.first
        state = cell.verdict
        decides = cell.decides
        worst = cell.worst
        rank = cell.severity?.rank ?? 0
        again = cell.replayCommand
        failures = cell.failures.map { failure in
            let check = failure.checks.first.map { "\($0.name): \($0.sentence)" }
            let evidence = failure.evidence ?? check ?? failure.findings.first?.description ?? ""
            return Failure(
                conclusion: failure.cause.conclusion, bug: failure.diagnosis?.bug.rawValue, evidence: evidence,
                advice: failure.diagnosis.map { [$0.bug.row.advised] } ?? cell.advice)
        }
    }

    /// From a check of a redacted report.
    init(_ row: ClientReport.Row) {
        (name, title, again) = (row.name, row.says, row.again)
        state =
            switch row.answer {
            case .fails: .fail
            case .notMeasured: .infrastructure
            case .holds: .pass
            case .notObservable: nil
            }
        worst = row.detail.isEmpty ? nil : row.detail
        rank = row.severity?.rank ?? 0
        guard let conclusion = row.conclusion else { return }
        failures = [
            Failure(
                conclusion: conclusion, bug: row.bug?.rawValue, evidence: row.detail,
                advice: [row.advice].compactMap { $0 })
        ]
    }

    /// Its sort key, the worst first: whether it counts, its state, its severity.
    var order: (Int, Int32, Int) { (state ?? .pass == .pass ? 2 : decides ? 0 : 1, state.order, rank) }
}

/// The state of a cell or of a check, in the words of pages.
extension Verdict? {
    /// The name in the page's data and style.
    var pageName: String { self?.rawValue ?? "unseen" }

    /// The sort key among other states, the worst first.
    fileprivate var order: Int32 { self.map { -$0.exitCode } ?? 1 }

    /// The state as a word for people; `ofCheck`: of a check of a client.
    func word(ofCheck: Bool) -> String {
        switch self {
        case .fail?: ofCheck ? "Fails" : "Fail"
        case .inconclusive?: "Inconclusive"
        case .infrastructure?: ofCheck ? "Not measured" : "Infrastructure"
        case .pass?: ofCheck ? "Holds" : "Pass"
        case nil: "Not observable"
        }
    }
}

extension CellResult {
    /// The worst about it, in one line; nil for a pass.
    var worst: String? {
        guard verdict != .pass else { return nil }
        let found = findings.first { $0.attribution.row.verdict == verdict }
        let broken = checks.first { $0.verdict == verdict && $0.decides } ?? checks.first { $0.verdict == verdict }
        if verdict == .infrastructure, let found { return found.description }
        return broken.map { "\($0.name): \($0.sentence)" } ?? (found ?? findings.first)?.description
    }
}
