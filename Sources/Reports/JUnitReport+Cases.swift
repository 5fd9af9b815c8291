import Results
import Wording

extension JUnitReport {
    struct Suite {
        var name: String
        /// When it started; nil if the suite does not say it.
        var timestamp: String?
        var properties: [(String, String)] = []
        var cases: [Case]
        /// How bad it is; the worst suites are kept longest.
        var rank: Int32

        /// The number of elements, attributes and texts, as a reader counts them.
        var objects: Int { 9 + 3 * properties.count + cases.map(\.objects).reduce(0, +) }

        var xml: String {
            var xml = "  <testsuite name=\"\(name.xmlEscaped)\" \(JUnitReport.counts(cases)) "
            let milliseconds = cases.map(\.milliseconds).reduce(0, +)
            if let timestamp { xml += "timestamp=\"\(timestamp.xmlEscaped)\" " }
            xml += "time=\"\(JUnitReport.seconds(milliseconds))\">\n"
            if !properties.isEmpty {
                xml += "    <properties>\n"
                for (name, value) in properties {
                    xml += "      <property name=\"\(name)\" value=\"\(value.xmlEscaped)\"/>\n"
                }
                xml += "    </properties>\n"
            }
            var names = UniqueNames()
            for test in cases { xml += test.xml(classname: name, name: names.unique(test.name)) }
            return xml + "  </testsuite>\n"
        }
    }

    /// Divides the time of a cell among its cases, because the same attempts judge all of them.
    static func share(_ seconds: Double, among cases: inout [Case]) {
        guard !cases.isEmpty else { return }
        let (each, rest) = milliseconds(seconds).quotientAndRemainder(dividingBy: Int64(cases.count))
        for index in cases.indices { cases[index].milliseconds = each + (Int64(index) < rest ? 1 : 0) }
    }

    struct Case {
        enum Outcome: String { case passed, failure, error, skipped }

        var name: String
        var outcome: Outcome
        var type: String
        var message: String
        var details = ""
        var output: String
        var errors = ""
        /// Its share of the time of its suite.
        var milliseconds: Int64 = 0

        var objects: Int { 4 + (outcome == .passed ? 0 : 4) + (output.isEmpty ? 0 : 2) + (errors.isEmpty ? 0 : 2) }

        func xml(classname: String, name: String) -> String {
            var xml = "    <testcase classname=\"\(classname.xmlEscaped)\" name=\"\(name.xmlEscaped)\""
            xml += " time=\"\(JUnitReport.seconds(milliseconds))\">\n"
            switch outcome {
            case .passed: break
            case .skipped: xml += "      <skipped message=\"\(message.singleLine.xmlEscaped)\"/>\n"
            case .failure, .error:
                xml += "      <\(outcome.rawValue) type=\"\(type)\" message=\"\(message.singleLine.xmlEscaped)\">"
                xml += "\(details.xmlText)</\(outcome.rawValue)>\n"
            }
            if !output.isEmpty { xml += "      <system-out>\(output.xmlText)</system-out>\n" }
            if !errors.isEmpty { xml += "      <system-err>\(errors.xmlText)</system-err>\n" }
            return xml + "    </testcase>\n"
        }
    }

    /// Makes names unique by a number, because readers take only the first of equal names.
    struct UniqueNames {
        private var counts: [String: Int] = [:]

        mutating func unique(_ name: String) -> String {
            let count = counts[name, default: 0] + 1
            counts[name] = count
            return count == 1 ? name : unique("\(name) (\(count))")
        }
    }
}

extension JUnitReport.Case {
    init(check: CheckResult, cell: CellResult, passesInconclusive: Bool, folder: String?) {
        let isBroken = cell.verdict == .infrastructure
        // So a budget keeps its name if the one against a baseline beside it is removed.
        name = check.title + (check.evidence?.basis == .baseline ? " against baseline" : "")
        message = check.sentence
        // JUnit has no warnings: a check that does not count and did not hold is skipped.
        let isLenient = !check.decides || !cell.decides || check.verdict == .inconclusive && passesInconclusive
        switch check.verdict {
        case .infrastructure where !isLenient: (outcome, type) = (.error, "infrastructure")
        case _ where isBroken: (outcome, type) = (.skipped, "infrastructure")
        case .pass: (outcome, type) = (.passed, "")
        case _ where isLenient: (outcome, type) = (.skipped, "advisory")
        case .inconclusive: (outcome, type) = (.error, "inconclusive")
        case .infrastructure: (outcome, type) = (.error, "infrastructure")
        case .fail: (outcome, type) = (.failure, check.kind.rawValue)
        }
        if outcome == .skipped {
            let gating = isBroken ? nil : check.gatingText ?? cell.gatingTexts.first
            message = "does not count\(gating.map { " (\($0))" } ?? ""): \(check.sentence)"
        }
        let bugs = outcome == .failure ? cell.bugLines { $0.checks.contains(check) } : []
        details = (["asked for \(check.asked)"] + bugs + cell.again + cell.places.map { "look at \($0)" }).text
        output = ([check.sentence] + [cell.againText].compactMap { $0 }).text
        if outcome == .failure || outcome == .error { errors = cell.lastWords.text }
        if outcome != .passed { output += cell.attachments(in: folder) }
    }

    init(finding: Finding, cell: CellResult? = nil, folder: String? = nil) {
        let row = finding.attribution.row
        let isLenient = row.subject == .client && cell?.decides == false
        outcome = isLenient ? .skipped : row.subject == .client ? .failure : .error
        type = row.subject.rawValue
        name = "\(row.subject.rawValue):\(finding.attribution.rawValue)"
        message = finding.description
        let isOfKind = { (found: Finding) in found.attribution == finding.attribution }
        let bugs = outcome == .failure ? cell?.bugLines { $0.findings.contains(where: isOfKind) } ?? [] : []
        details = ([row.remedy] + bugs + (cell?.again ?? [])).text
        output =
            ([finding.description] + [cell?.againText].compactMap { $0 }).text + (cell?.attachments(in: folder) ?? "")
        errors = cell?.lastWords.text ?? ""
    }
}

extension JUnitReport.Suite {
    /// The suite that reports the suites for which there was no room.
    init(leaving gone: [Self], name: String, _ run: RunResult) {
        let count = gone.map(\.cases.count).reduce(0, +)
        let bad = gone.count { $0.rank != 0 }
        let text =
            "\(count) cases of \(gone.count) suites are left out, because readers accept no more; \(bad) of these suites do not "
            + "pass. All of them are in result.json"
        let test = JUnitReport.Case(
            name: "report:left_out", outcome: bad == 0 ? .skipped : .error, type: "report", message: text, output: text)
        self.init(name: name, timestamp: run.startedAt, cases: [test], rank: 0)
    }
}

extension CellResult {
    /// The bugs that explain some of the failures, and the advice, as lines.
    fileprivate func bugLines(of isMeant: (CellFailure) -> Bool) -> [String] {
        failures.filter(isMeant).compactMap { BugText($0) }.flatMap { ["bug: \($0.title)"] + $0.lines }
            + advice.prefix(CellResult.shownAdvice).map { "a good client: \($0)" }
    }

    /// The line by which Jenkins and GitLab find the events of a failure; they accept only files, not folders.
    fileprivate func attachments(in folder: String?) -> String {
        guard let bundle = bundle?.singleLine, !bundle.contains("]]"), !bundle.contains("|") else { return "" }
        let place = (folder.map { $0.singleLine + "/" } ?? "") + bundle
        return "\n[[ATTACHMENT|\(place)/\(ReportFormat.eventsFileName)]]"
    }
}

extension [String] {
    /// The texts, one per line, without the mark by which readers of JUnit find files: a client must not name any.
    fileprivate var text: String {
        // Characters are removed first: otherwise two halves of the mark could join.
        map { $0.singleLine.replacing("[[ATTACHMENT", with: "[ [ATTACHMENT") }.joined(separator: "\n")
    }
}
