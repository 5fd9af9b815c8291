import Foundation
import PackFormat
import ResourceLoading
import Testing

/// The documentation's rules and promises, and the tests that it names for them.
struct RuleTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The names of tests in a text, as `Suite.test` between backquotes.
    private func names(in text: String) -> [(suite: String, test: String)] {
        text.matches(of: /`([A-Z]\w+Tests)\.(\w+)`/).map { (String($0.1), String($0.2)) }
    }

    /// The joined sources of the suites of this name: several targets may have one.
    private func sources(of suite: String) -> String {
        let tests = Self.root.appending(path: "Tests")
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: tests.path)) ?? []
        return folders.compactMap { folder in
            try? String(contentsOf: tests.appending(path: "\(folder)/\(suite).swift"), encoding: .utf8)
        }.joined()
    }

    @Test(arguments: [("docs/reference/rules.md", 42), ("SECURITY.md", 32)])
    func eachRuleHasItsTest(file: String, least: Int) throws {
        let page = try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
        let rules = page.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.contains("| tests |") }
        #expect(rules.count >= least)
        for rule in rules { #expect(!names(in: String(rule)).isEmpty, "no test: \(rule)") }
        for (suite, test) in names(in: page) {
            let text = sources(of: suite)
            // The nearest `@Test` before the function must be its own: a helper is no test.
            let front = text.range(of: "func \(test)(").map { text[..<$0.lowerBound] }
            let attribute = front?.range(of: "@Test", options: .backwards)
            let isTest = attribute.map { front?[$0.upperBound...].contains("func ") == false } ?? false
            #expect(isTest, "\(suite) has no test '\(test)'")
        }
    }

    /// The last column of a rule names a scenario or a folder of scenarios, or says `no link`.
    @Test func eachRuleIsShownOverALink() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/reference/rules.md"), encoding: .utf8)
        let rules = page.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.contains("| tests |") }
        for rule in rules {
            let cells = rule.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let shown = try #require(cells.last)
            if shown == "no link" { continue }
            let path = Self.root.appending(path: "scenarios/" + shown.trimmingCharacters(in: ["`"])).path
            let isThere = [path, path + ".yaml"].contains { FileManager.default.fileExists(atPath: $0) }
            #expect(cells.count == 3 && isThere, "no scenario: \(rule)")
        }
    }

    @Test func theLimitsOfALoaderAreThoseOf2015() {
        let limits = LoaderConfiguration(manifest: "http://host/", store: "/").limits
        #expect(limits == Limits.named("ios-2015") && limits[.inUse] == 2_000_000_000)
    }
}
