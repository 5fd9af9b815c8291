package import Results
import Wording

extension ClientReport {
    /// The report as JUnit XML: a case for each check, named as its scenario.
    ///
    /// What cannot be seen is `skipped`, and what was not measured an `error`.
    package var junit: String {
        let report = redacted
        let head =
            "tests=\"\(rows.count)\" failures=\"\(rows(.fails).count)\" errors=\"\(rows(.notMeasured).count)\" "
            + "skipped=\"\(rows(.notObservable).count)\""
        let time = "time=\"\(Int(durationSeconds)).000\""
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"headwind check\" \(head) \(time)>\n"
        xml += "  <testsuite name=\"check\" \(head) \(time)>\n"
        for row in report.rows { xml += row.xml }
        return xml + "  </testsuite>\n</testsuites>\n"
    }
}

extension ClientReport.Row {
    fileprivate var xml: String {
        let message = "message=\"\(detail.singleLine.xmlEscaped)\""
        let more = [says, advice, again.map { "again: \($0)" }].compactMap { $0?.singleLine }.joined(separator: "\n")
        let body: String? =
            switch answer {
            case .holds: nil
            case .fails: "<failure type=\"\(severity?.rawValue ?? "other")\" \(message)>\(more.xmlText)</failure>"
            case .notMeasured: "<error type=\"infrastructure\" \(message)>\(more.xmlText)</error>"
            case .notObservable: "<skipped \(message)/>"
            }
        return "    <testcase classname=\"check\" name=\"\(name.xmlEscaped)\" time=\"0.000\">\n"
            + (body.map { "      \($0)\n" } ?? "")
            + "      <system-out>\(says.singleLine.xmlText)</system-out>\n    </testcase>\n"
    }
}
