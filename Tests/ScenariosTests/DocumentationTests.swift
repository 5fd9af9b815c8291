import Foundation
import Scenarios
import SystemPackage
import Testing

/// Every example that the documentation shows is read.
@Suite struct DocumentationTests {
    /// What an example that shows a part of a scenario leaves out.
    private static let rest = [
        "scenario": "scenario: test\n", "packs": "packs: ./packs\n", "link": "link: 3g\n",
        "workload": "workload: [{request: {tags: [red]}}]\n",
    ]

    static let scenarios = examples(in: "docs/scenarios.md")
    static let profiles = examples(in: "docs/profiles.md")

    @Test(arguments: scenarios) func scenarioExampleIsRead(_ example: String) throws {
        let keys = example.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map { String($0.prefix { $0 != ":" }) }
        let isWhole = keys.contains("scenario")
        let serves = keys.contains { ["catalog", "host"].contains($0) }
        let added =
            isWhole ? [] : Self.rest.filter { !keys.contains($0.key) && !(serves && $0.key == "packs") }.map(\.value)
        #expect(try problems(inScenario: (added.joined() + example).utf8) == [])
    }

    @Test(arguments: profiles) func profileExampleIsRead(_ example: String) throws {
        #expect(try problems(inProfile: example.utf8) == [])
    }

    @Test func thereAreExamples() {
        #expect(Self.scenarios.count >= 9)
        #expect(Self.profiles.count >= 2)
    }

    private static func examples(in path: String) -> [String] {
        guard let text = try? Repository.text(Repository.root.appending(path)) else { return [] }
        return text.components(separatedBy: "```yaml\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }
}
