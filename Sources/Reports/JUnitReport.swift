package import Results

/// A result as JUnit XML: a suite for each cell, a case for each check and each finding.
///
/// A check that the client broke is a `failure`. What could not be decided, or says nothing about the client, is an
/// `error`. In a cell with infrastructure trouble no other check counts, and it is `skipped`. The measured value stands
/// in `system-out`, for a pass too, and what the client said last in `system-err`. Names do not change with limits, for they are what readers compare runs by.
package enum JUnitReport {
    /// The whole result, with a line's end at the end.
    package static func render(_ run: RunResult) -> String {
        let run = run.redacted
        var names = UniqueNames()
        var suites = run.cells.map { suite($0, name: names.unique($0.name), run) }
        if !run.findings.isEmpty {
            let cases = run.findings.map { Case(finding: $0) }
            suites.append(Suite(name: names.unique("run"), timestamp: run.startedAt, cases: cases))
        }
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"headwind\" "
        xml += counts(suites.flatMap(\.cases)) + " time=\"\(seconds(run.durationSeconds))\">\n"
        for suite in suites { xml += suite.xml }
        return xml + "</testsuites>\n"
    }

    private static func suite(_ cell: CellResult, name: String, _ run: RunResult) -> Suite {
        let isBroken = cell.verdict == .infrastructure
        var cases = cell.checks.map { Case(check: $0, cell: cell, isBroken: isBroken) }
        cases += cell.findingsByKind.map { Case(finding: $0, cell: cell) }
        for index in cases.indices { cases[index].seconds = cell.durationSeconds / Double(cases.count) }
        let properties: [(String, String)] = [
            ("title", cell.title ?? cell.name), ("seed", run.seed.map { "\($0)" } ?? "several"),
            ("headwind", run.toolVersion),
            ("profile", cell.link.profile),
            ("backend", cell.link.backend),
            ("backend_reason", cell.link.reason ?? (cell.link.fidelityAsked == nil ? "unknown" : "the scenario")),
            ("fidelity", cell.link.fidelity),
            ("congestion_control", cell.link.congestionControl ?? "unknown"),
            ("attempts", "\(cell.countedAttempts.count)"), ("link", cell.measurementTexts.joined(separator: "; ")),
        ]
        return Suite(
            name: name, timestamp: cell.startedAt, seconds: cell.durationSeconds, properties: properties, cases: cases)
    }

    fileprivate static func counts(_ cases: [Case]) -> String {
        func count(_ outcome: Case.Outcome) -> Int { cases.count { $0.outcome == outcome } }
        return "tests=\"\(cases.count)\" failures=\"\(count(.failure))\" errors=\"\(count(.error))\" "
            + "skipped=\"\(count(.skipped))\""
    }

    /// Seconds with three decimals, without a sign or an exponent.
    fileprivate static func seconds(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds > 0 else { return "0.000" }
        let milliseconds = Int64(min(seconds * 1000, 1e15).rounded())
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}

extension JUnitReport {
    fileprivate struct Suite {
        var name: String
        var timestamp: String
        var seconds = 0.0
        var properties: [(String, String)] = []
        var cases: [Case]

        var xml: String {
            var xml = "  <testsuite name=\"\(name.xmlEscaped)\" \(JUnitReport.counts(cases)) "
            xml += "timestamp=\"\(timestamp.xmlEscaped)\" time=\"\(JUnitReport.seconds(seconds))\">\n"
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

    fileprivate struct Case {
        enum Outcome: String { case passed, failure, error, skipped }

        var name: String
        var outcome: Outcome
        var type: String
        var message: String
        var details: String
        var output: String
        var errors = ""
        var seconds = 0.0

        init(check: CheckResult, cell: CellResult, isBroken: Bool) {
            name = check.title
            switch check.verdict {
            // JUnit knows no warning: what decides nothing is skipped where it did not hold.
            case _ where !check.decides || !cell.decides:
                (outcome, type) = (check.verdict == .pass ? .passed : .skipped, "advisory")
            case .infrastructure: (outcome, type) = (.error, "infrastructure")
            case _ where isBroken: (outcome, type) = (.skipped, "infrastructure")
            case .inconclusive: (outcome, type) = (.error, "inconclusive")
            case .fail: (outcome, type) = (.failure, check.kind.rawValue)
            case .pass: (outcome, type) = (.passed, "")
            }
            let gating = check.gatingText ?? cell.gatingTexts.first
            let why = check.decides && cell.decides ? nil : gating
            message =
                outcome == .skipped
                ? "does not count\(why.map { " (\($0))" } ?? ""): \(check.sentence)" : check.sentence
            let bugs = outcome == .failure ? cell.bugLines : []
            details = (["asked for \(check.asked)"] + bugs + cell.again + cell.places.map { "look at \($0)" }).joined(
                separator: "\n")
            output = check.sentence
            if outcome == .failure || outcome == .error { errors = cell.lastWords.joined(separator: "\n") }
            if outcome != .passed, let bundle = cell.bundle { output += "\n[[ATTACHMENT|\(bundle.singleLine)]]" }
        }

        init(finding: Finding, cell: CellResult? = nil) {
            let row = finding.attribution.row
            let isLenient = row.subject == .client && cell?.decides == false
            outcome = isLenient ? .skipped : row.subject == .client ? .failure : .error
            type = row.subject.rawValue
            name = "\(row.subject.rawValue):\(finding.attribution.rawValue)"
            message = finding.description
            let bugs = outcome == .failure ? cell?.bugLines ?? [] : []
            details = ([row.remedy] + bugs + (cell?.again ?? [])).joined(separator: "\n")
            output = ""
            errors = cell?.lastWords.joined(separator: "\n") ?? ""
        }

        func xml(classname: String, name: String) -> String {
            var xml = "    <testcase classname=\"\(classname.xmlEscaped)\" name=\"\(name.xmlEscaped)\" "
            xml += "time=\"\(JUnitReport.seconds(seconds))\">\n"
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

    /// Makes names differ by a number, for of equal names readers take the first alone.
    fileprivate struct UniqueNames {
        private var counts: [String: Int] = [:]

        mutating func unique(_ name: String) -> String {
            let count = counts[name, default: 0] + 1
            counts[name] = count
            return count == 1 ? name : unique("\(name) (\(count))")
        }
    }
}

extension CellResult {
    /// The bugs by which failures are explained, as lines.
    fileprivate var bugLines: [String] { diagnosesByBug.flatMap { ["bug: \($0.title)"] + $0.lines } }
}
