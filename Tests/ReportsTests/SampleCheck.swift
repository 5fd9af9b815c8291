import Results

/// A sample report of a check.
enum SampleCheck {
    static let command = ["curl", "-fL", "-o", "{output}", "{url}", "it's", "a b"]

    /// Two checks with one bug, two with none, and one for each other answer.
    static func report() -> ClientReport {
        func failure(
            _ name: String, _ severity: ClientReport.Severity, _ bug: ClientBug?, _ detail: String, seconds: Double = 1
        ) -> ClientReport.Row {
            var row = ClientReport.Row(
                name: name, says: "Does well in \(name)", answer: .fails, severity: severity, detail: detail,
                advice: bug.map(\.row.advised) ?? "End well.")
            (row.bug, row.durationSeconds) = (bug, seconds)
            row.event = "events.jsonl, attempt 1, \"t\":10500000000"
            return row
        }
        return ClientReport(
            toolVersion: "0.1.0", command: command, patienceSeconds: 30, durationSeconds: 61.5,
            rows: [
                failure("status-429", .givesUp, nil, "it ended with status 22 after 12 ms"),
                failure("body-stalls", .hangs, .noTimeout, "it was still running after 40 s", seconds: 40.125),
                failure("head-never", .hangs, .noTimeout, "it was still running after 40 s, and waited"),
                failure("status-500", .givesUp, nil, "it ended with status 22 after 14 ms"),
                failure(
                    "etag-changed", .wrongData, .keepsStaleBytes,
                    "'asset-pack-0123456789abcdef' has different content (SHA-256 0123456789ab…, not ba9876543210…)"),
                .init(name: "good-link", says: "Downloads", answer: .holds),
                .init(name: "status-404", says: "Ends with an error", answer: .holds),
                .init(name: "pause-late", says: "Pauses", answer: .notObservable, detail: "a command has no pause"),
                .init(name: "pause-early", says: "Pauses", answer: .notObservable, detail: "a command has no pause"),
                .init(name: "tls", says: "Downloads", answer: .notMeasured, detail: "the machine was too busy"),
            ])
    }

    /// The result of its run: a cell for each check that is observable.
    static func run() throws -> RunResult {
        let cells = try report().rows.filter { $0.answer != .notObservable }.map { row in
            var cell = try SampleRun.cell(
                "3g", seconds: [row.answer == .fails ? 60 : 38], limit: "max <= 49 s", attempts: 1)
            (cell.scenario, cell.point) = (row.name, [])
            return cell
        }
        return SampleRun.run(cells)
    }
}
