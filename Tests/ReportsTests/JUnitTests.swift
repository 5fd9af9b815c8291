import Foundation
import Results
import Testing

@testable import Reports

@Suite("JUnit")
struct JUnitTests {
    /// Checks the attributes and elements that readers accept (https://github.com/testmoapp/junitxml), and their
    /// values.
    private static let reader = """
        import re, sys, xml.etree.ElementTree as tree
        root = tree.fromstring(sys.stdin.buffer.read())
        suite = {"name", "tests", "failures", "errors", "skipped", "time", "timestamp"}
        allowed = {"testsuites": suite, "testsuite": suite, "properties": set(), "property": {"name", "value"},
            "testcase": {"name", "classname", "time"}, "failure": {"type", "message"}, "error": {"type", "message"},
            "skipped": {"message"}, "system-out": set(), "system-err": set()}
        objects = 0
        for element in root.iter():
            assert set(element.attrib) <= allowed[element.tag], (element.tag, element.attrib)
            objects += 1 + len(element.attrib) + (1 if (element.text or "").strip() else 0)
        seen = set()
        def count(of, found):
            assert int(of.get("tests")) == len(found), of.attrib
            for kind, name in [("failure", "failures"), ("error", "errors"), ("skipped", "skipped")]:
                assert int(of.get(name)) == sum(1 for case in found if case.find(kind) is not None), (name, of.attrib)
        for part in root:
            found = part.findall("testcase")
            count(part, found)
            times = [case.get("time") for case in found] + [part.get("time")]
            assert all(re.fullmatch(r"[0-9]+\\.[0-9]{3}", time) for time in times), times
            assert sum(round(1000 * float(time)) for time in times[:-1]) == round(1000 * float(times[-1])), times
            for case in found:
                key = (case.get("classname"), case.get("name"))
                assert key not in seen and all(key), key
                seen.add(key)
                assert len([child for child in case if child.tag in ("failure", "error", "skipped")]) <= 1
                assert (case.findtext("system-out") or "").strip(), key
                print("\\t".join([*key, case.get("time"), (case.findtext("system-out")).replace("\\n", " | ")]))
        count(root, root.findall("testsuite/testcase"))
        print("objects", objects)
        """

    private func read(_ xml: String) throws -> [String] {
        let answer = try SecondOpinion.python(importing: "xml", Self.reader, input: xml)
        return answer.split(separator: "\n").map(String.init)
    }

    @Test("a strict reader accepts it: counts are right, names are unique, and each case has its measurements")
    func strict() throws {
        for run in [try SampleRun.mixed(), try SampleRun.hostileRun(), SampleRun.run([])] {
            #expect(try read(JUnitReport.render(run)).last?.hasPrefix("objects") == true)
        }
        let lines = try read(JUnitReport.render(try SampleRun.mixed()))
        let first = "level 2 [link.profile=3g]\tbudget:"
        // The cell's 200.1 s are divided among its four checks.
        #expect(lines.contains { $0.hasPrefix("\(first)time_to_available.median\t50.025\tmedian 40.2 s") })
        #expect(lines.contains { $0.hasPrefix("\(first)redundant_bytes.max\t50.025\tmax 0 KiB") })
    }

    @Test("in a check's report, each case has the time of its cell, and the suite their sum")
    func check() throws {
        let lines = try read(SampleCheck.report().junit)
        #expect(lines.contains { $0.hasPrefix("check\tbody-stalls\t40.125\t") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("check\tpause-late\t0.000\t") })
    }

    @Test("names stay when limits change")
    func stableNames() throws {
        func names(_ limit: String) throws -> [Substring] {
            let cell = try SampleRun.cell("3g", seconds: [1, 2, 3, 4, 5], limit: limit)
            return try read(JUnitReport.render(SampleRun.run([cell]))).dropLast().flatMap {
                $0.split(separator: "\t").prefix(2)
            }
        }
        #expect(try names("median <= 9 s") == names("median <= 1 s"))
    }

    @Test("attachments are files, with paths from the project's folder, each on its own line")
    func attachments() throws {
        let xml = JUnitReport.render(try SampleRun.mixed(), folder: "out/results")
        let lines = xml.split(separator: "\n").filter { $0.contains("ATTACHMENT") }
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0 == "[[ATTACHMENT|out/results/bundles/level-2-edge/events.jsonl]]</system-out>" })
        #expect(!JUnitReport.render(try SampleRun.hostileRun()).contains("ATTACHMENT"))
        var hostile = try SampleRun.mixed()
        for cell in hostile.cells.indices {
            for attempt in hostile.cells[cell].attempts.indices {
                hostile.cells[cell].attempts[attempt].clientOutput = [
                    "[[ATTACHMENT|/etc/passwd]]", "[\u{1}[ATTACHMENT|/etc/passwd]]",
                    "a\n[\u{200B}[ATTACHMENT|/etc/passwd]]",
                ]
            }
        }
        #expect(!JUnitReport.render(hostile).contains("[[ATTACHMENT|/etc"))
    }

    @Test("a check that does not count is no failure, and says so")
    func advisory() throws {
        var run = try SampleRun.mixed()
        let broken = try #require(run.cells[1].checks.firstIndex { $0.verdict == .fail })
        run.cells[1].checks[broken].gating = .advisory
        let xml = JUnitReport.render(run)
        #expect(xml.contains("<skipped message=\"does not count (advisory: it decides nothing): median"))
        #expect(xml.contains("<testsuite name=\"level 2 [link.profile=edge]\" tests=\"4\" failures=\"0\""))
    }

    @Test("beyond the limits of readers, the best cells are left out, and a case gives their number")
    func limits() throws {
        let mixed = try SampleRun.mixed()
        let run = SampleRun.run(Array(repeating: mixed.cells[0], count: 40) + [mixed.cells[1]])
        let lines = try read(JUnitReport.render(run, nil, .init(objects: 1000)))
        let objects = try #require(lines.last?.split(separator: " ").last.flatMap { Int($0) })
        #expect(objects <= 1020 && objects > 500)
        #expect(lines.contains { $0.contains("[link.profile=edge]") })
        #expect(lines[lines.count - 2].hasPrefix("headwind\treport:left_out\t0.000\t"))
        let bytes = JUnitReport.render(run, nil, .init(bytes: 20_000)).utf8.count
        #expect(bytes < 21_000 && bytes > 10_000)
        #expect(JUnitReport.render(run, nil, .init(objects: 0)).contains("<error type=\"report\""))
    }
}
