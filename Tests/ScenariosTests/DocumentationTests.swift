import Foundation
import LinkModel
import PackFormat
import SystemPackage
import Testing

@testable import Scenarios

/// Reads every example that the documentation shows.
@Suite struct DocumentationTests {
    /// The keys that an example of a part of a scenario leaves out.
    private static let rest = [
        "scenario": "scenario: test\n", "packs": "packs: ./packs\n", "link": "link: 3g\n",
        "workload": "workload: [{request: {tags: [red]}}]\n",
    ]

    static let scenarios = examples(in: "docs/reference/scenarios.md")
    static let profiles = examples(in: "docs/reference/profiles.md")

    @Test(arguments: scenarios) func scenarioExampleIsRead(_ example: String) throws {
        let keys = example.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map { String($0.prefix { $0 != ":" }) }
        let isWhole = keys.contains("scenario")
        let serves = keys.contains { ["catalog", "host", "network"].contains($0) }
        let added =
            isWhole ? [] : Self.rest.filter { !keys.contains($0.key) && !(serves && $0.key == "packs") }.map(\.value)
        #expect(try problems(inScenario: (added.joined() + example).utf8) == [])
    }

    @Test(arguments: profiles) func profileExampleIsRead(_ example: String) throws {
        #expect(try problems(inProfile: example.utf8) == [])
    }

    @Test func scheduleExampleIsRead() throws {
        let text = try Repository.text(Repository.root.appending("docs/reference/schedules.md"))
        let blocks = text.components(separatedBy: "```text\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count == 1)
        for block in blocks { #expect(try FaultSchedule(parsing: block).lines.count > 3) }
    }

    @Test func thereAreExamples() {
        #expect(Self.scenarios.count >= 9)
        #expect(Self.profiles.count >= 2)
    }

    @Test(arguments: [Examples.scenario, Examples.command, Examples.packCommand, Examples.profile])
    func everyKeyIsDocumented(_ subject: MutationTests.Subject) throws {
        let root = try #require(YAMLReader.read(Array(subject.text.utf8), Problems(file: "")))
        let texts = try ["docs/reference/scenarios.md", "docs/reference/profiles.md"].map {
            try Repository.text(Repository.root.appending($0))
        }
        let named = [
            "red", "circle", "red.bin", "X-Team", "matrix", "when", "time_to_first_byte", "time_to_available",
            "longest_stall",
        ]
        for path in Emission(root).paths where !named.contains(path.key) && !path.parts.contains("matrix") {
            let isDocumented = texts.contains { text in
                ["`\(path.key)`", "`\(path.key):", "{\(path.key):", ", \(path.key):"].contains(where: text.contains)
            }
            #expect(isDocumented || path.parts.contains("when"), "\(path)")
        }
    }

    @Test("host.md and scenarios.md have every fault of the host")
    func faults() throws {
        let rows = HostFault.Kind.allCases.map { ($0.rawValue, $0.row) }
        let actions = rows.map { "| \($0.1.notation) | \($0.1.meaning) |" }
        let keys = rows.map { "| `\($0.0)` | \($0.1.scenario) | \($0.1.meaning) |" }
        try Repository.check(
            "docs/reference/host.md", "faults",
            "| action | what the client meets |\n|---|---|\n" + actions.joined(separator: "\n"))
        try Repository.check(
            "docs/reference/scenarios.md", "faults",
            "| key | value | what the client meets |\n|---|---|---|\n" + keys.joined(separator: "\n"))
    }

    @Test("the first example of a fault's value is read", arguments: HostFault.Kind.allCases)
    func faultExampleIsRead(_ kind: HostFault.Kind) throws {
        let value = try #require(
            kind.row.scenario.split(separator: "`", omittingEmptySubsequences: false).dropFirst().first)
        let fault = "\nfaults: [{pack: any, \(kind.rawValue): \(value)}]\n"
        let read = try scenario(Self.rest.values.joined() + "tls: true\n" + fault).cells[0].hostFaults
        #expect(read.map(\.action.kind) == [kind])
    }

    private static func examples(in path: String) -> [String] {
        guard let text = try? Repository.text(Repository.root.appending(path)) else { return [] }
        return text.components(separatedBy: "```yaml\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }
}
