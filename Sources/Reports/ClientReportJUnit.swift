package import Results
import Wording

extension ClientReport {
    /// The report as JUnit XML: one case for each check, named like its scenario, with its duration.
    ///
    /// A check that is not observable is `skipped`, and one that was not measured is an `error`. Checks run in
    /// parallel: the time of the suite is the sum of its cases, and that of `testsuites` is the elapsed time.
    package var junit: String {
        let suite = JUnitReport.Suite(name: "check", cases: redacted.rows.map(\.test), rank: 0)
        return JUnitReport.document("headwind check", [suite.xml], suite.cases, seconds: durationSeconds)
    }
}

extension ClientReport.Row {
    fileprivate var test: JUnitReport.Case {
        let lines = [says, detail, advice, again.map { "again: \($0)" }]
        let more = lines.compactMap { $0?.singleLine }.filter { !$0.isEmpty }.joined(separator: "\n")
        let (outcome, type): (JUnitReport.Case.Outcome, String) =
            switch answer {
            case .holds: (.passed, "")
            case .fails: (.failure, severity?.rawValue ?? "other")
            case .notMeasured: (.error, "infrastructure")
            case .notObservable: (.skipped, "")
            }
        return JUnitReport.Case(
            name: name, outcome: outcome, type: type, message: conclusion ?? detail, details: more,
            output: says.singleLine, milliseconds: JUnitReport.milliseconds(durationSeconds ?? 0))
    }
}
