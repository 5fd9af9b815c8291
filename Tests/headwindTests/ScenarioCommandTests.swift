import Foundation
import SystemPackage
import Testing

/// `headwind scenario check` reports each fault that `headwind run` refuses, with its line, and runs nothing.
@Suite(.sideBySide) struct ScenarioCommandTests {
    private static let good = """
        scenario: Red arrives
        catalog: shapes
        link: 3g
        workload: [{request: {tags: [red]}}]
        expect: available

        """

    /// Files by name, and the beginnings of all lines on stderr and stdout.
    private struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var files: [String: String]
        var lines: [String]
        var status: Int32 = 65
    }

    private static let cases = [
        Case(
            testDescription: "in order", files: ["a.yaml": good],
            lines: ["a.yaml: the scenario 'Red arrives' is valid, with 1 cell"], status: 0),
        Case(
            testDescription: "two files and a matrix",
            files: ["a.yaml": good, "b.yaml": good + "matrix: {link: [3g, lte]}\n"],
            lines: ["2 scenarios are valid, with 3 cells"], status: 0),
        Case(
            testDescription: "what the text tells and what only the packs tell, of several files",
            files: [
                "a.yaml": good + "atempts: 3\nbudgets: {time_to_available: max <= 1}\n",
                "b.yaml": good.replacing("[red]", with: "[reed]"),
                "c.yaml": good + "faults: [{after: 40 % of blu, link: offline, for: 5 s}]\n",
                "d.yaml":
                    "scenario: D\ncatalog: shapes\nlink: 3g\nworkload:\n  command: [no-such-program, '{url}']\n  pack: red+star\n",
            ],
            lines: [
                "a.yaml:6:1: there is no key 'atempts'", "a.yaml:7:38: a unit is expected",
                "b.yaml:4:30: no downloaded pack has the tag 'reed'; did you mean 'red'?",
                "c.yaml:6:18: no downloaded pack has the name or tag 'blu'; did you mean 'blue'?",
                "d.yaml:5:12: there is no program 'no-such-program'", "headwind: found 5 problems",
            ]),
        Case(
            testDescription: "another file", files: ["a.yml": good.replacing("[red]", with: "[reed]")],
            lines: ["headwind: there is no file or folder 'a.yaml'; did you mean 'a.yml'?"]),
        Case(testDescription: "no file", files: [:], lines: ["headwind: there is no file or folder"]),
    ]

    @Test(arguments: cases) private func isReported(_ test: Case) async throws {
        let run = try ExecRun()
        defer { run.remove() }
        let folder = run.folder.appending("scenarios")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: false)
        for (name, text) in test.files { try Data(text.utf8).write(to: URL(filePath: folder.appending(name).string)) }
        let names = test.files.keys.contains { $0.hasSuffix(".yaml") } ? "*.yaml" : "a.yaml"
        let answer = try await run.run("cd scenarios && \"$HW\" scenario check \(names)")
        #expect(answer.status == test.status)
        let lines = (answer.output + answer.errors).split(separator: "\n")
        #expect(lines.count == test.lines.count, "\(lines)")
        for (line, start) in zip(lines, test.lines) { #expect(line.hasPrefix(start)) }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.string)
        #expect(left.sorted() == test.files.keys.sorted())
    }
}
