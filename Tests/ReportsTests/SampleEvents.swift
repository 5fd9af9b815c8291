import FoundationEssentials
import Reports
import Results
import SystemPackage

/// Events to draw: a download with an outage in the middle, of which the rest is fetched by a second request.
enum SampleEvents {
    /// The lines of one attempt that lasts 10 s, whose client was started at 1 s.
    static func attempt(_ number: Int, of cell: String) -> [TimelineEvent] {
        func event(
            _ seconds: Double, _ source: TimelineEvent.Source, _ name: String, _ fields: [String: FieldValue] = [:]
        ) -> TimelineEvent {
            TimelineEvent(
                nanoseconds: 1_000_000_000 + Int64(seconds * 1e9), cell: cell, attempt: number, source: source,
                name: name, fields: fields)
        }
        let rates: [String: FieldValue] = ["downlink_rate": 800_000, "uplink_rate": 400_000, "offline": nil]
        var events = [
            event(-0.01, .harness, "link-up"), event(-0.01, .link, "conditions", rates),
            event(0, .harness, "client-start"), event(0.05, .client, "request", ["id": "r1", "tags": "level-2"]),
            event(0.1, .host, "request", ["method": "GET", "path": "/level-2", "try": 1]),
            event(4, .link, "conditions", ["downlink_rate": 800_000, "uplink_rate": 400_000, "offline": "silent"]),
            event(6, .link, "conditions", rates),
            event(6.2, .client, "retry", ["pack": "pack-2", "reason": "The host sent 40000 of 100000 bytes."]),
            event(9.9, .client, "available", ["id": "r1"]), event(10, .harness, "client-end"),
        ]
        for step in 0..<40 {
            let fraction = Double(step) / 40
            let seconds = fraction < 0.5 ? 0.5 + fraction * 7 : 2.7 + fraction * 7
            let total = Int64(fraction * 100_000)
            events.append(
                event(
                    seconds, .link, "delivered",
                    ["connection": 1, "direction": "downlink", "total": .integer(total)]))
            events.append(
                event(
                    seconds + 0.01, .client, "progress",
                    ["id": "r1", "fraction": .number(fraction), "total": 100_000]))
        }
        return events.sorted { $0.nanoseconds < $1.nanoseconds }
    }

    /// The lines of every attempt of a run.
    static func lines(of run: RunResult) -> String {
        run.cells.flatMap { cell in
            cell.attempts.flatMap { attempt($0.number, of: cell.name) }
        }.map(\.line).joined()
    }

    /// Calls `body` with a file of these bytes.
    static func withFile<Value>(_ text: String, _ body: (FilePath) throws -> Value) throws -> Value {
        let file = FileManager.default.temporaryDirectory.appending(path: "events-\(UUID().uuidString).jsonl")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try body(FilePath(file.path))
    }

    /// The page of a run with these events.
    static func page(
        _ run: RunResult, events: String, charts: ChartLibrary? = nil, timelineBytes: Int = 1_000_000
    ) throws -> String {
        var report = HTMLReport(timelineBytes: timelineBytes)
        report.add(run.cells)
        return try withFile(events) { file in
            String(decoding: report.render(run, events: try EventFile(file), charts: charts), as: UTF8.self)
        }
    }

    /// The blocks of data of a page by their names.
    static func blocks(_ page: String) -> [(name: String, json: String)] {
        page.split(separator: "<script type=\"application/json\" id=\"").dropFirst().map { part in
            let name = part.prefix { $0 != "\"" }
            let json = part.dropFirst(name.count + 2)
            return (String(name), String(json[..<(json.firstRange(of: "</script>")?.lowerBound ?? json.endIndex)]))
        }
    }
}
