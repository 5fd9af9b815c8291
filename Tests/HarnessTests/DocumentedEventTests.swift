import Events
import Foundation
import Testing

@testable import Harness

/// Every event that `docs/events.md` has, with every member, from a client's line to the files of a run.
@Suite(.timeLimit(.minutes(1)))
struct DocumentedEventTests {
    /// The members of each event, by the tables of the documentation.
    private static let events = rows(in: documentation.components(separatedBy: "\n## Members")[0]).map { row in
        (name: row[0], members: row[1].matches(of: /`(\w+)`/).map { String($0.1) })
    }

    private static let types = Dictionary(
        uniqueKeysWithValues: rows(in: documentation.components(separatedBy: "\n## Members").last ?? "").map {
            ($0[0], $0[1])
        })

    private static let documentation =
        (try? String(contentsOfFile: Bench.root.appending("docs/events.md").string, encoding: .utf8)) ?? ""

    /// The cells of tables' rows, the first one without its quotes.
    private static func rows(in text: String) -> [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return [cells[0].replacing("`", with: "")] + cells.dropFirst()
        }
    }

    /// A value as a client writes it, and the fields that are made of it.
    private static func value(_ member: String) throws -> (told: Any, fields: [String: Any]) {
        func one(_ value: Any, _ field: Any? = nil) -> (Any, [String: Any]) { (value, [member: field ?? value]) }
        switch try #require(types[member], "docs/events.md does not say what '\(member)' is") {
        case "text" where member == "url":
            return one("http://ann:planted-token@h/p?key=planted-token", "http://[redacted]@h/p?[redacted]")
        case "text": return one("text of \(member)")
        case "list of texts": return one(["one", "two"], "one two")
        case "true or false": return one(true)
        case "object":
            return (
                ["domain": "libcurl", "code": 7, "message": "token=planted-token"],
                ["\(member).domain": "libcurl", "\(member).code": 7, "\(member).message": "token=[redacted]"]
            )
        default: return one(member == "fraction" ? 0.5 : member.utf8.count)
        }
    }

    private static func object(_ json: some Sequence<UInt8>) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    @Test func everyMemberIsInEveryFile() async throws {
        #expect(Set(Self.events.map(\.name)) == Set(ClientEvent.Kind.allCases.map(\.rawValue)))
        let bench = try Bench()
        var (lines, expected): ([String], [String: [String: Any]]) = ([], [:])
        for (name, members) in Self.events {
            var line: [String: Any] = ["v": 1, "t": "now", "event": name]
            for member in members {
                let (told, fields) = try Self.value(member)
                line[member] = told
                expected[name, default: [:]].merge(fields) { $1 }
            }
            let json = try JSONSerialization.data(withJSONObject: line, options: [.withoutEscapingSlashes])
            lines.append(String(decoding: json, as: UTF8.self).replacing(#""now""#, with: "NOW"))
        }
        let told = try bench.write("told", lines.joined(separator: "\n").utf8 + [0x0A])
        // Hundredths of a second, of which one must have begun since the client started.
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
        let shown = (data["events"] as? [[Any]] ?? []).filter { $0[1] as? String == "client" }
        let counts = data["counts"] as? [String: Int] ?? [:]
        for (name, fields) in expected where counts[name] == nil {
            let pairs = shown.filter { $0[2] as? String == name }.map {
                ($0.last as? [[Any]] ?? []).map { $0[0] as? String }
            }
            #expect(pairs.contains { Set($0) == Set(fields.keys) }, "\(name): \(pairs)")
        }
        #expect(counts.keys.sorted() == ["delivered", "progress", "usage"])
        let bars = data["progress"] as? [[String: Any]] ?? []
        let progress = try #require(bars.first)
        #expect(bars.count == 1 && progress["id"] as? String == "text of id" && progress["total"] as? Int == 5)
        #expect(!file.contains("planted-token") && !page.contains("planted-token"))
    }
}
