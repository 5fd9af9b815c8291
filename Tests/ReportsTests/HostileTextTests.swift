import Documents
import FoundationEssentials
import Redaction
import Reports
import Results
import Testing

@Suite("Hostile texts and sizes")
struct HostileTextTests {
    @Test(
        "no report has a control character that a terminal would obey",
        arguments: [ReportFormat.text, .junit, .markdown, .openmetrics, .github])
    func controls(_ format: ReportFormat) throws {
        let text = try format.render(SampleRun.hostileRun())
        let controls = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) }
        #expect(controls.isEmpty)
        #expect(!text.unicodeScalars.contains("\u{202E}"))
        #expect(text.contains("🎈"))
    }

    @Test("JUnit is well-formed: every tag is closed, and no other text has a < or a bare &")
    func wellFormed() throws {
        for run in [try SampleRun.mixed(), try SampleRun.hostileRun(), SampleRun.run([])] {
            let xml = try ReportFormat.junit.render(run)
            #expect(try XMLShape.check(xml) > 3)
        }
    }

    @Test("JUnit names are unique, even if cells and checks share names")
    func uniqueNames() throws {
        let cell = try SampleRun.cell("3g", seconds: [40, 40, 40, 40, 40], limit: "max <= 60 s")
        var doubled = cell
        doubled.checks += cell.checks
        let xml = try ReportFormat.junit.render(SampleRun.run([cell, doubled, cell]))
        let cases = xml.split(separator: "\n").filter { $0.contains("<testcase") }.map {
            $0.split(separator: " time=")[0]
        }
        #expect(cases.count == 16)
        #expect(Set(cases).count == 16)
    }

    @Test("results of 10,000 attempts and of 5,000 cells give bounded reports")
    func sizes() throws {
        let many = try SampleRun.cell(
            "3g", seconds: (0..<10_000).map { 31 + Double($0 % 50) }, limit: "max <= 40 s", attempts: 10_000)
        let run = SampleRun.run([many])
        #expect(try ReportFormat.text.render(run).utf8.count < 4000)
        #expect(try ReportFormat.junit.render(run).utf8.count < 8000)
        #expect(try ReportFormat.markdown.render(run).utf8.count < 4000)
        let cell = try SampleRun.cell("3g", seconds: [40, 40, 40, 40, 40], limit: "max <= 60 s")
        let wide = MarkdownReport.render(SampleRun.run(Array(repeating: cell, count: 5000)))
        #expect(wide.utf8.count <= MarkdownReport.mostBytes)
        #expect(wide.hasSuffix("they are all in result.json.\n"))
    }

    @Test("the worst cells come first in Markdown")
    func worstFirst() throws {
        let text = try ReportFormat.markdown.render(SampleRun.mixed())
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("## ") }.compactMap {
            $0.split(separator: ":").first
        }
        #expect(headings == ["## FAIL", "## UNSURE", "## INFRA", "## pass"])
    }

    @Test("an event is one line of JSON, whatever its texts are")
    func eventLine() throws {
        let event = TimelineEvent(
            nanoseconds: -5, cell: SampleRun.hostile, attempt: 2, source: .client, name: SampleRun.hostile,
            fields: [
                .init(key: SampleRun.hostile, value: .text(SampleRun.hostile)), .init(key: "n", value: .number(.nan)),
                .init(key: "i", value: .list([.number(.infinity), .number(0.1)])),
            ])
        let line = event.line
        #expect(line.hasSuffix("}\n"))
        #expect(!line.dropLast().contains { $0.isNewline })
        let read = try AnyJSON.tree(line.utf8)
        let hostile = JSONTree.text(SampleRun.hostile)
        #expect(read["cell"] == hostile && read["event"] == hostile)
        #expect(read["fields"]?[SampleRun.hostile] == .text(Redaction.text(SampleRun.hostile)))
        #expect(read["fields"]?["n"] == .null && read["fields"]?["i"] == .list([.null, .number(0.1)]))
    }

    @Test("an event has its keys in this order, and no secrets")
    func eventKeys() {
        let event = TimelineEvent(
            nanoseconds: 12, cell: "c", attempt: 1, source: .host, name: "request",
            fields: [
                .init(key: "url", value: .text("/a?x=1")), .init(key: "authorization", value: .text("Bearer x")),
                .init(key: "tags", value: .list([.text("/b?x=1")])),
                .init(key: "underlying", value: .object(["token": .text("x"), "code": .integer(5)])),
            ])
        #expect(
            event.line == #"{"v":2,"t":12,"cell":"c","attempt":1,"source":"host","event":"request","#
                + #""fields":{"url":"/a?[redacted]","authorization":"[redacted]","tags":["/b?[redacted]"],"#
                + #""underlying":{"token":"[redacted]","code":5}}}"# + "\n")
        #expect(
            TimelineEvent(nanoseconds: 1, source: .harness, name: "run").line
                == #"{"v":2,"t":1,"source":"harness","event":"run"}"# + "\n")
    }
}

/// A minimal XML check: tags are closed in order, and texts are escaped.
enum XMLShape {
    struct Broken: Error { let at: String }

    /// Returns the number of elements; throws ``Broken`` if the text is not well-formed.
    static func check(_ xml: String) throws -> Int {
        var open: [Substring] = []
        var count = 0
        for part in xml.split(separator: "<", omittingEmptySubsequences: true) {
            guard let end = part.lastIndex(of: ">") else { throw Broken(at: String(part)) }
            let (tag, text) = (part[..<end], part[part.index(after: end)...])
            if tag.contains(">") { throw Broken(at: String(part)) }
            for run in (tag + text).split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
                let isKnown = ["amp;", "lt;", "gt;", "quot;", "apos;", "#10;", "#9;"].contains { run.hasPrefix($0) }
                if !isKnown { throw Broken(at: String(run)) }
            }
            let name = tag.drop { $0 == "/" }.prefix { $0 != " " && $0 != "/" }
            if tag.hasPrefix("?") { continue }
            if tag.hasPrefix("/") {
                guard open.popLast() == name else { throw Broken(at: String(tag)) }
            } else {
                count += 1
                if !tag.hasSuffix("/") { open.append(name) }
            }
        }
        guard open.isEmpty else { throw Broken(at: open.joined(separator: ",")) }
        return count
    }
}
