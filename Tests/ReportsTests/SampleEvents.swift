import Documents
import Events
import FoundationEssentials
import LinkModel
import Reports
import Results
import SystemPackage

/// Sample events: a download with an outage in the middle, and a second request for the rest.
enum SampleEvents {
    /// The events of one attempt that lasts 10 s, whose client started at 1 s.
    static func attempt(_ number: Int, of cell: String) -> [TimelineEvent] {
        func moment(_ seconds: Double) -> Int64 { 1_000_000_000 + Int64(seconds * 1e9) }
        func event(_ seconds: Double, _ source: TimelineEvent.Source, _ name: String) -> TimelineEvent {
            TimelineEvent(nanoseconds: moment(seconds), cell: cell, attempt: number, source: source, name: name)
        }
        func client(
            _ seconds: Double, _ kind: ClientEvent.Kind, _ fill: (inout ClientEvent) -> Void
        ) -> TimelineEvent {
            TimelineEvent(
                ClientEvent(kind, at: moment(seconds), fill), source: .client, cell: cell, attempt: number)
        }
        func link(_ seconds: Double, _ connection: Int, _ kind: LinkEvent.Kind) -> TimelineEvent {
            TimelineEvent(
                LinkEvent(at: Instant(nanoseconds: moment(seconds)), connection: connection, kind: kind), source: .link,
                cell: cell, attempt: number)
        }
        var open = LinkConditions()
        open.downlink.rate = BitRate(bitsPerSecond: 800_000)
        open.uplink.rate = BitRate(bitsPerSecond: 400_000)
        var silent = open
        silent.offline = .silent
        var events = [
            event(-0.01, .harness, "link-up"), link(-0.01, 0, .conditions(conditions: open, generation: 0)),
            event(0, .harness, "client-start"),
            client(0.05, .request) { ($0.id, $0.tags) = ("r1", ["level-2"]) },
            TimelineEvent(
                nanoseconds: moment(0.1), cell: cell, attempt: number, source: .host, name: "request",
                fields: [
                    .init(key: "method", value: .text("GET")), .init(key: "path", value: .text("/level-2")),
                    .init(key: "try", value: .integer(1)),
                ]), link(4, 0, .conditions(conditions: silent, generation: 1)),
            link(6, 0, .conditions(conditions: open, generation: 2)),
            client(6.2, .retry) { ($0.pack, $0.reason) = ("pack-2", "The host sent 40000 of 100000 bytes.") },
            client(9.9, .available) { $0.id = "r1" }, event(10, .harness, "client-end"),
        ]
        for step in 0..<40 {
            let fraction = Double(step) / 40
            let seconds = fraction < 0.5 ? 0.5 + fraction * 7 : 2.7 + fraction * 7
            let total = Int64(fraction * 100_000)
            events.append(link(seconds, 1, .delivered(direction: .downlink, total: total)))
            events.append(
                client(seconds + 0.01, .progress) { ($0.id, $0.fraction, $0.total) = ("r1", fraction, 100_000) })
        }
        return events.sorted { $0.nanoseconds < $1.nanoseconds }
    }

    /// The lines of every attempt of a run.
    static func lines(of run: RunResult) -> String {
        run.cells.flatMap { cell in
            cell.attempts.flatMap { attempt($0.number, of: cell.name) }
        }.map(\.line).joined()
    }

    /// Calls `body` with a file of this text.
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

    /// The data blocks of a page, with their names.
    static func blocks(_ page: String) -> [(name: String, json: String)] {
        page.split(separator: "<script type=\"application/json\" id=\"").dropFirst().map { part in
            let name = part.prefix { $0 != "\"" }
            let json = part.dropFirst(name.count + 2)
            return (String(name), String(json[..<(json.firstRange(of: "</script>")?.lowerBound ?? json.endIndex)]))
        }
    }
}
