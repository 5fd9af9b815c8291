import Events
import Evidence
import Foundation
import LinkModel
import Results
import Testing

@testable import Harness
@testable import PackHost
@testable import Reports

/// Every event in `docs/reference/events.md`, with every member, from a client's line to the files of a run.
@Suite(.timeLimit(.minutes(1)))
struct DocumentedEventTests {
    /// The members of each event, from the tables of the documentation.
    private static let events = table(in: documentation.components(separatedBy: "\n## Members")[0])

    private static let types = Dictionary(
        uniqueKeysWithValues: rows(
            in: documentation.components(separatedBy: "<!-- members -->").last?
                .components(separatedBy: "<!-- end -->")[0] ?? ""
        ).map { ($0[0], $0[1]) })

    private static let documentation =
        (try? String(contentsOfFile: Bench.root.appending("docs/reference/events.md").string, encoding: .utf8)) ?? ""

    /// Each event of a table, and its members.
    private static func table(in text: String) -> [(name: String, members: [String])] {
        rows(in: text).map { row in (row[0], row[1].matches(of: /`(\w+)`/).map { String($0.1) }) }
    }

    /// The cells of table rows; the first cell is without its backquotes.
    private static func rows(in text: String) -> [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return [cells[0].replacing("`", with: "")] + cells.dropFirst()
        }
    }

    /// A value as a client writes it, as `events.jsonl` has it, and the names that the page shows for it.
    private static func value(_ member: String) throws -> (told: Any, field: Any, shown: [String]) {
        func one(_ value: Any, _ field: Any? = nil) -> (Any, Any, [String]) { (value, field ?? value, [member]) }
        switch try #require(types[member], "docs/reference/events.md does not say what '\(member)' is") {
        case "text" where member == "url":
            return one("http://ann:planted-token@h/p?key=planted-token", "http://[redacted]@h/p?[redacted]")
        case "text": return one("text of \(member)")
        case "list of texts": return one(["one", "two"])
        case "true or false": return one(true)
        case "object":
            let cause: [String: Any] = ["domain": "libcurl", "code": 7, "message": "token=planted-token"]
            let shown = cause.merging(["message": "token=[redacted]"]) { $1 }
            return (cause, shown, cause.keys.map { "\(member).\($0)" })
        default: return one(member == "fraction" ? 0.5 : member.utf8.count)
        }
    }

    private static func object(_ json: some Sequence<UInt8>) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    @Test func everyMemberIsInEveryFile() async throws {
        #expect(Set(Self.events.map(\.name)) == Set(ClientEvent.Kind.allCases.map(\.rawValue)))
        let bench = try Bench()
        var (lines, expected, shown): ([String], [String: [String: Any]], [String: Set<String>]) = ([], [:], [:])
        for (name, members) in Self.events {
            var line: [String: Any] = ["v": 1, "t": "now", "event": name]
            (expected[name], shown[name]) = ([:], [])
            for member in members {
                let (told, field, names) = try Self.value(member)
                line[member] = told
                expected[name]?[member] = field
                shown[name]?.formUnion(names)
            }
            let json = try JSONSerialization.data(withJSONObject: line, options: [.withoutEscapingSlashes])
            lines.append(String(decoding: json, as: UTF8.self).replacing(#""now""#, with: "NOW"))
        }
        let told = try bench.write("told", lines.joined(separator: "\n").utf8 + [0x0A])
        // /proc/uptime counts hundredths of a second, of which one must have begun since the client started.
        var run = try bench.prepare(
            """
            workload:
              pack: level.bin
              command: |
                sleep 0.05
                now=$(awk '{printf "%.0f", $1 * 1000000000}' /proc/uptime)
                curl -fsS -o {output} {url}
                sed "s/NOW/$now/" \(told)
            expect: error
            """)
        run.output = bench.folder.appending("results")
        let result = try await run.perform()

        let file = try String(contentsOfFile: bench.folder.appending("results/events.jsonl").string, encoding: .utf8)
        let written = try file.split(separator: "\n").map { try Self.object($0.utf8) }
            .filter { $0["source"] as? String == "client" }
        for (name, fields) in expected {
            let found = written.filter { $0["event"] as? String == name }.map {
                NSDictionary(dictionary: $0["fields"] as? [String: Any] ?? [:])
            }
            let same = try NSDictionary(dictionary: Self.object(JSONSerialization.data(withJSONObject: fields)))
            #expect(found == [same], "\(name): \(found) in the place of \(same)\n\(result.text)")
        }

        let page = try String(contentsOfFile: bench.folder.appending("results/report.html").string, encoding: .utf8)
        let block = try #require(page.firstMatch(of: /id="t0-1">(.+?)<\/script>/))
        let data = try Self.object(block.1.utf8)
        let counts = data["counts"] as? [String: Int] ?? [:]
        for (name, names) in shown where counts[name] == nil {
            #expect(Self.rows(of: "client", name, in: data).contains { Set($0) == names }, "\(name): \(names)")
        }
        #expect(counts.keys.sorted() == ["delivered", "progress", "usage"])
        let bars = data["progress"] as? [[String: Any]] ?? []
        let progress = try #require(bars.first)
        #expect(bars.count == 1 && progress["id"] as? String == "text of id" && progress["total"] as? Int == 5)
        #expect(!file.contains("planted-token") && !page.contains("planted-token"))
    }

    /// The names of the members that a page shows of each event.
    private static func rows(of source: String, _ name: String, in data: [String: Any]) -> [[String]] {
        (data["events"] as? [[Any]] ?? []).filter { $0[1] as? String == source && $0[2] as? String == name }.map {
            ($0.last as? [[Any]] ?? []).compactMap { $0[0] as? String }
        }
    }

    /// Events with every member that any can have.
    private static let told: [String: [any Encodable & Sendable]] = [
        "host": [
            .opened(peer: "10.0.0.2", port: 7, congestionControl: "cubic"),
            .request(
                HostRequest(
                    method: "GET", path: "/a?key=planted-token", pack: "a", number: 1, range: "bytes=1-",
                    origin: "http://h", credentials: "cookie", httpVersion: "HTTP/2")),
            .fault(line: "L1 GET /a from=0 try=1 cut@5"), .head(status: 206, length: 9),
            .fileFault(reason: "it is gone"),
            .finished(transfer(.cut(reset: true))), .finished(transfer(.fileFault(reason: "it is gone"))),
            .refused(status: 400, reason: "no method"),
            .closed(HostConnectionEnd(cause: .failed(reason: "no cipher"), received: 1, sent: 2)),
            .listenerFailed(reason: "no descriptors"),
        ].map { HostEvent(nanoseconds: 5, connection: 3, kind: $0) },
        "link": [
            .opened(mode: "socks", target: "h:80", key: "#1", client: "10.0.0.1:9"),
            .flow(protocol: 6, target: "h:80", key: "#1", port: 7),
            .lookup(type: 28), .keyed(key: "/a@5", alias: "/a#2"), .connected, .refused(reason: "too many"),
            .hostSide(port: 8), .serverName(name: "a.example"),
            .delivered(direction: .downlink, total: 9), .closed(downlink: 1, uplink: 2, cause: .finished),
            .conditions(conditions: conditions, generation: 1),
            .decision(
                line: Decision(
                    at: Instant(nanoseconds: 5), key: "#1", direction: .downlink, bytes: 0..<1448, transmission: 1)),
        ].map { LinkEvent(at: Instant(nanoseconds: 5), connection: 3, kind: $0) },
    ]

    private static func transfer(_ cause: HostTransfer.Cause) -> HostTransfer {
        HostTransfer(status: 206, from: 1, planned: 9, handed: 5, unacknowledged: 2, cause: cause)
    }

    private static let conditions = LinkConditions(
        downlink: Conditions(rate: BitRate(bitsPerSecond: 8_000_000)), offline: .silent)

    @Test(arguments: ["host", "link"])
    func everyMemberOfAnEngineIsInEveryFile(source: String) throws {
        let section = Self.documentation.components(separatedBy: "<!-- \(source) -->").last ?? ""
        let documented = Self.table(in: section.components(separatedBy: "<!-- end -->")[0])
        var trace = AttemptTrace()
        for event in Self.told[source] ?? [] {
            if let event = event as? HostEvent { trace.host.append(event) }
            if let event = event as? LinkEvent { trace.link.append(event) }
        }
        let events = trace.timeline(cell: "a", attempt: 1)
        #expect(events.count == Self.told[source]?.count)
        let lines = try events.map { try Self.object($0.line.utf8) }
        let bench = try Bench()
        let path = bench.folder.appending("events.jsonl")
        try events.map(\.line).joined().write(toFile: path.string, atomically: false, encoding: .utf8)
        var timeline = AttemptTimeline(origin: nil)
        #expect(try EventFile(path).read(.init(cell: "a", attempt: 1)) { timeline.add($0) })
        var json = PageJSON()
        json.object { $0.timeline(timeline, isWhole: true) }
        let data = try Self.object(json.bytes)

        #expect(Set(documented.map(\.name)) == Set(lines.compactMap { $0["event"] as? String }))
        for (name, members) in documented {
            let fields = lines.filter { $0["event"] as? String == name }.map { $0["fields"] as? [String: Any] ?? [:] }
            #expect(fields.allSatisfy { $0["connection"] as? Int == 3 } && !fields.isEmpty)
            #expect(Set(fields.flatMap(\.keys)) == Set(members + ["connection"]), "\(name)")
            guard name != "delivered" else { continue }
            let shown = Self.rows(of: source, name, in: data).joined().map { $0.prefix { $0 != "." } }
            #expect(Set(shown.map(String.init)) == Set(members + ["connection"]), "\(name)")
        }
        #expect(timeline.delivered.points.count == (source == "link" ? 1 : 0))
        #expect(timeline.conditions.map(\.downlink) == (source == "link" ? [8_000_000] : []))
        #expect(
            !lines.description.contains("planted-token")
                && !String(decoding: json.bytes, as: UTF8.self).contains("planted-token"))
        if source == "host" {
            let ends = lines.compactMap { $0["fields"] as? [String: Any] }.filter { $0["cause"] != nil }
            #expect(ends.map { $0["cause"] as? String } == ["cut", "file-fault", "failed"])
            #expect(ends[0]["reset"] as? Bool == true && ends[1]["reason"] as? String == "it is gone")
        }
    }
}
