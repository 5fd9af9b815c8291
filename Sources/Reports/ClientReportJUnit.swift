package import Results
import Wording

extension ClientReport {
    /// The report as JUnit XML: one case for each check, named like its scenario, with its duration.
    ///
    /// A check that is not observable is `skipped`, and one that was not measured is an `error`. Checks run in
    /// parallel: the time of the suite is the sum of its cases, and that of `testsuites` is the elapsed time.
    package var junit: String {
        let report = redacted
        let head =
            "tests=\"\(rows.count)\" failures=\"\(rows(.fails).count)\" errors=\"\(rows(.notMeasured).count)\" "
            + "skipped=\"\(rows(.notObservable).count)\""
        let whole = JUnitReport.seconds(JUnitReport.milliseconds(durationSeconds))
        let sum = JUnitReport.seconds(rows.map(\.milliseconds).reduce(0, +))
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        xml += "<testsuites name=\"headwind check\" \(head) time=\"\(whole)\">\n"
        xml += "  <testsuite name=\"check\" \(head) time=\"\(sum)\">\n"
        for row in report.rows { xml += row.xml }
        return xml + "  </testsuite>\n</testsuites>\n"
    }
}

extension ClientReport.Row {
    fileprivate var milliseconds: Int64 { JUnitReport.milliseconds(durationSeconds ?? 0) }

    fileprivate var xml: String {
        let message = "message=\"\((conclusion ?? detail).singleLine.xmlEscaped)\""
        let lines = [says, detail, advice, again.map { "again: \($0)" }]
        let more = lines.compactMap { $0?.singleLine }.filter { !$0.isEmpty }.joined(separator: "\n")
        let body: String? =
            switch answer {
            case .holds: nil
            case .fails: "<failure type=\"\(severity?.rawValue ?? "other")\" \(message)>\(more.xmlText)</failure>"
            case .notMeasured: "<error type=\"infrastructure\" \(message)>\(more.xmlText)</error>"
            case .notObservable: "<skipped \(message)/>"
            }
        return
            "    <testcase classname=\"check\" name=\"\(name.xmlEscaped)\" time=\"\(JUnitReport.seconds(milliseconds))\">\n"
            + (body.map { "      \($0)\n" } ?? "")
            + "      <system-out>\(says.singleLine.xmlText)</system-out>\n    </testcase>\n"
    }
}
