package import Results

/// A result as JUnit XML: a suite for each cell, a case for each check and each finding.
///
/// - A check that the client broke is a `failure`.
/// - A check that could not be decided, or a finding that says nothing about the client, is an `error`.
/// - In a cell with infrastructure trouble no other check counts: it is `skipped`. So is a check that does not count
///   and did not hold.
///
/// Every case has the measured value in `system-out`, and the client's last output in `system-err`. The time of a cell
/// is divided among its cases, so that their sum is the suite's. Names do not change with limits, because readers
/// compare runs by name. A file never exceeds the limits of readers: suites that do not fit, the best cells first, are
/// reported in a case of their own.
package enum JUnitReport {
    /// The limits of a file: GitLab reads 250,000 objects, and files below 30 MB.
    struct Limits {
        var objects = 240_000
        var bytes = 29_000_000
    }

    /// The whole result, ending in a line feed.
    ///
    /// `folder` is the folder of the results for readers of attachments; nil, the default: paths are relative to it.
    package static func render(_ run: RunResult, folder: String? = nil) -> String {
        render(run.redacted, folder, Limits())
    }

    /// The same for a result that is already redacted.
    static func render(_ run: RunResult, _ folder: String?, _ limits: Limits) -> String {
        var names = UniqueNames()
        var suites = run.cells.map { suite($0, name: names.unique($0.name), run, folder) }
        if !run.findings.isEmpty {
            let cases = run.findings.map { Case(finding: $0) }
            suites.append(Suite(name: names.unique("run"), timestamp: run.startedAt, cases: cases, rank: .max))
        }
        var texts = suites.map(\.xml)
        let kept = kept(suites, texts, limits)
        if kept.count < suites.count {
            let gone = suites.indices.filter { !kept.contains($0) }.map { suites[$0] }
            suites = kept.map { suites[$0] } + [Suite(leaving: gone, name: names.unique("headwind"), run)]
            texts = kept.map { texts[$0] } + [suites[kept.count].xml]
        }
        if let left = run.left, let text = run.leftText {
            let passes = left.count { $0.verdict != .pass } == 0
            let test = Case(
                name: "report:cells_left_out", outcome: passes ? .skipped : .error, type: "report", message: text,
                output: text)
            suites.append(
                Suite(name: names.unique("headwind"), timestamp: run.startedAt, cases: [test], rank: 0))
            texts.append(suites[suites.count - 1].xml)
        }
        return document("headwind", texts, suites.flatMap(\.cases), seconds: run.durationSeconds)
    }

    /// The document of suites: their texts, with the counts of their cases.
    static func document(_ name: String, _ suites: [String], _ cases: [Case], seconds: Double) -> String {
        let time = Self.seconds(milliseconds(seconds))
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        xml += "<testsuites name=\"\(name)\" \(counts(cases)) time=\"\(time)\">\n"
        for suite in suites { xml += suite }
        return xml + "</testsuites>\n"
    }

    /// The suites that fit, in their order: the worst are kept first.
    private static func kept(_ suites: [Suite], _ texts: [String], _ limits: Limits) -> [Int] {
        var (objects, bytes) = (0, 0)
        let ranked = suites.indices.sorted { (suites[$1].rank, $0) < (suites[$0].rank, $1) }
        return ranked.filter { index in
            let (more, length) = (suites[index].objects, texts[index].utf8.count)
            guard objects + more <= limits.objects, bytes + length <= limits.bytes else { return false }
            (objects, bytes) = (objects + more, bytes + length)
            return true
        }.sorted()
    }

    private static func suite(_ cell: CellResult, name: String, _ run: RunResult, _ folder: String?) -> Suite {
        var cases = cell.checks.map { check in
            Case(check: check, cell: cell, passesInconclusive: run.onInconclusive != nil, folder: folder)
        }
        cases += cell.findingsByKind.map { Case(finding: $0, cell: cell, folder: folder) }
        share(cell.durationSeconds, among: &cases)
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
            name: name, timestamp: cell.startedAt, properties: properties, cases: cases, rank: cell.exitCode)
    }

    static func counts(_ cases: [Case]) -> String {
        func count(_ outcome: Case.Outcome) -> Int { cases.count { $0.outcome == outcome } }
        return "tests=\"\(cases.count)\" failures=\"\(count(.failure))\" errors=\"\(count(.error))\" "
            + "skipped=\"\(count(.skipped))\""
    }

    /// Whole milliseconds; 0 for a value that is not a duration.
    static func milliseconds(_ seconds: Double) -> Int64 {
        seconds.isFinite && seconds > 0 ? Int64(min(seconds * 1000, 1e15).rounded()) : 0
    }

    /// Seconds with three decimals, without a sign or an exponent.
    static func seconds(_ milliseconds: Int64) -> String {
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}
