import Events
import FoundationEssentials
import Results
import Testing

/// The documentation's tables equal the code's; `HEADWIND_RECORD=1 swift test` writes them again.
@Suite("Documentation in step with the code", .serialized)
struct DocumentationTests {
    @Test("budgets.md has the grammar of the parser")
    func grammar() throws {
        let source = try Self.read("Sources/Results/Budgets/Budget.swift")
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let block = lines.drop { $0 != "/// ```" }.dropFirst().prefix { $0 != "/// ```" }.map { $0.dropFirst(4) }
        #expect(block.count > 10)
        try Self.check("docs/reference/budgets.md", "grammar", "```text\n\(block.joined(separator: "\n"))\n```")
    }

    @Test("budgets.md has every metric, with its key in results")
    func metrics() throws {
        let rows = Metric.allCases.map { metric in
            let definition = metric.definition
            let name = metric.phrase.map { "`progress: \($0)`" } ?? "`\(metric.rawValue)`"
            let unit = metric.unit == .truth ? "yes or no" : metric.unit.rawValue.replacing("_", with: " ")
            let kind = metric.isNoiseFree ? "noise-free" : "has noise"
            let bases = metric.phrase == nil ? definition.bases.map(\.rawValue).joined(separator: ", ") : "–"
            return
                "| \(name) | \(unit) | \(definition.better.rawValue) | \(kind) | \(bases) | \(definition.source.rawValue) "
                + "| \(definition.title): \(definition.measured) | `\(metric.key)` |"
        }
        let head =
            "| metric | unit | better | kind | multiple of | seen by | what it is, and how it is measured | in results |\n"
            + "|---|---|---|---|---|---|---|---|\n"
        try Self.check("docs/reference/budgets.md", "metrics", head + rows.joined(separator: "\n"))
    }

    @Test("verdicts.md has every attribution")
    func attributions() throws {
        let rows = Attribution.allCases.map { attribution in
            let row = attribution.row
            return "| `\(attribution.rawValue)` | \(row.subject.rawValue) | \(row.verdict.rawValue) | \(row.exitCode) "
                + "| \(row.sentence) | \(row.remedy) |"
        }
        let head =
            "| finding | about | verdict | exit code | what happened | what to do |\n|---|---|---|---|---|---|\n"
        try Self.check("docs/reference/verdicts.md", "attributions", head + rows.joined(separator: "\n"))
    }

    @Test("verdicts.md has every bug")
    func bugs() throws {
        let rows = ClientBug.allCases.map { bug in
            "| `\(bug.rawValue)` | \(bug.row.sentence) | \(bug.row.advice) | \(bug.row.source) | `\(bug.row.scenario)` |"
        }
        let head = "| bug | what it is | what a good client does | source | shown by |\n|---|---|---|---|---|\n"
        try Self.check("docs/reference/verdicts.md", "bugs", head + rows.joined(separator: "\n"))
    }

    @Test("events.md has every event and member as declared")
    func events() throws {
        let source = try Self.read("Sources/Events/ClientEvent.swift")
        var (sections, members): ([(name: String, rows: [String])], [String]) = ([], [])
        var comment: [Substring] = []
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            if let match = line.wholeMatch(of: #/ {8}case (\w+)/#) {
                // The members of an event stand before the first colon.
                let parts = Self.text(comment).split(separator: ": ", maxSplits: 1)
                let hasMembers = parts[0].hasPrefix("`")
                let when =
                    hasMembers ? parts[1].prefix(1).uppercased() + parts[1].dropFirst() : parts.joined(separator: ": ")
                sections[sections.count - 1].rows.append(
                    "| `\(match.1)` | \(hasMembers ? parts[0] : "") | \(when) |")
            } else if let match = line.wholeMatch(of: #/ {4}package var `?(\w+)`?(?:: (\S+?)\??| = version)/#) {
                let type = try #require(Self.types[match.2.map(String.init) ?? "Int"], "\(line)")
                members.append("| `\(match.1)` | \(type) | \(Self.text(comment)) |")
            } else if let match = line.wholeMatch(of: #/ +// MARK: (.+)/#) {
                sections.append((String(match.1), []))
            }
            let words = line.drop { $0 == " " }
            comment = words.hasPrefix("///") ? comment + [words.dropFirst(3)] : []
        }
        #expect(sections.flatMap(\.rows).count == ClientEvent.Kind.allCases.count && members.count > 40)
        for section in sections {
            let name = section.name.lowercased().replacing("'", with: "").replacing(" ", with: "-")
            let head = "| event | members | when |\n|---|---|---|\n"
            try Self.check("docs/reference/events.md", name, head + section.rows.joined(separator: "\n"))
        }
        let head = "| member | type | meaning |\n|---|---|---|\n"
        try Self.check("docs/reference/events.md", "members", head + members.joined(separator: "\n"))
    }

    @Test("events.md has every event of the host and of the link as declared")
    func engineEvents() throws {
        for (source, path) in [
            ("host", "Sources/PackHost/HostEvent.swift"), ("link", "Sources/LinkModel/Links/LinkEvent.swift"),
        ] {
            let declared = try EventDeclarations(Self.read(path))
            let rows = declared.events.map { "| `\($0.name)` | \($0.members) | \($0.text) |" }
            let members = try declared.members().map { member in
                "| `\(member.name)` | \(try #require(Self.types[member.type], "\(member)")) | \(member.text) |"
            }
            #expect(rows.count > 8 && members.count > 10)
            let head = "| event | members | when |\n|---|---|---|\n"
            try Self.check("docs/reference/events.md", source, head + rows.joined(separator: "\n"))
            let table = "| member | type | meaning |\n|---|---|---|\n"
            try Self.check(
                "docs/reference/events.md", "members-of-the-\(source)", table + members.joined(separator: "\n"))
        }
    }

    private static let types = [
        "String": "text", "[String]": "list of texts", "Int": "number", "Int64": "number", "Double": "number",
        "Bool": "true or false", "LoadingPriority": "0 to 1, or `urgent`", "Cause": "object", "UInt8": "number",
        "Direction": "text", "LinkConditions": "object", "CloseCause": "text", "Decision": "text",
    ]

    /// A comment, joined to one line.
    private static func text(_ comment: [Substring]) -> String {
        comment.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    @Test("every budget and expectation that the documentation shows is valid")
    func examples() throws {
        let text = try Self.read("docs/reference/budgets.md")
        var count = 0
        for line in text.split(separator: "\n") where line.hasPrefix("  ") && line.contains(": ") {
            let pair = line.drop { $0 == " " }.split(separator: ":", maxSplits: 1)
            let key = String(pair[0])
            guard Budget.keys.contains(key) else { continue }
            let values = pair[1].drop { $0 == " " }.replacing("[", with: "").replacing("]", with: "")
            for value in values.split(separator: ",") {
                _ = try Budget(key: key, text: String(value))
                count += 1
            }
        }
        #expect(count == 7)
    }

    /// Checks that the part of a file between `<!-- name -->` and `<!-- end -->` is `expected`, or writes it.
    private static func check(_ path: String, _ name: String, _ expected: String) throws {
        let text = try read(path)
        let open = try #require(text.firstRange(of: "<!-- \(name) -->\n"))
        let close = try #require(text[open.upperBound...].firstRange(of: "<!-- end -->"))
        let part = "\n\(expected)\n\n"
        if ProcessInfo.processInfo.environment["HEADWIND_RECORD"] == "1" {
            let new = text[..<open.upperBound] + part + text[close.lowerBound...]
            try Data(new.utf8).write(to: URL(filePath: root + path))
            return
        }
        #expect(text[open.upperBound..<close.lowerBound] == part, "\(path) is not in step")
    }

    private static func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: root + path)), as: UTF8.self)
    }

    /// The package's folder.
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/"
}
