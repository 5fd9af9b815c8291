import LinkModel
import SystemPackage
import Testing

@testable import Scenarios

/// Random files: any bytes are a value or have problems with places, and nothing crashes.
@Suite(.sideBySide) struct FuzzTests {
    /// Edits such as people and broken disks make, drawn from a seed.
    private struct Mutator: RandomNumberGenerator {
        var random: SplitMix64

        mutating func next() -> UInt64 { random.next() }

        private static let tokens = [
            ":", "-", "- ", "? ", "{", "}", "[", "]", ",", "#", "&", "*", "!", "|", ">", "'", "\"", "%", "@", "`", "\t",
            "\n", "\r", "  ",
            "\u{0}", "\u{FEFF}", "\u{E200}", "\u{1F4F6}", "99999999999999999999", "-1", "1e309", "NaN", "~", "<<: ",
            "--- ", "...", ": ", "\\",
            "0 s", "100 %", "1 TiB", "*a", "&a ", "!!binary ", "{url}", "\u{85}", "e\u{301}",
        ].map { Array($0.utf8) }

        mutating func mutate(_ bytes: inout [UInt8]) {
            for _ in 0..<Int.random(in: 1...4, using: &self) {
                let index = Int.random(in: 0...bytes.count, using: &self)
                let end = min(bytes.count, index + Int.random(in: 0...12, using: &self))
                switch Int.random(in: 0..<6, using: &self) {
                case 0: bytes.removeSubrange(index..<end)
                case 1: bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: 0...bytes.count, using: &self))
                case 2: bytes.insert(UInt8.random(in: 0...255, using: &self), at: index)
                case 3: bytes.replaceSubrange(index..<end, with: Self.tokens.randomElement(using: &self) ?? [])
                case 4: bytes.removeSubrange(index...)
                default: bytes.insert(contentsOf: Self.tokens.randomElement(using: &self) ?? [], at: index)
                }
                if bytes.isEmpty { bytes = [0x61] }
            }
        }
    }

    @Test(arguments: [Examples.scenario, Examples.command, Examples.packCommand, Examples.profile], 1...4)
    func anyBytesAreAValueOrHaveProblems(_ subject: MutationTests.Subject, seed: UInt64) {
        var mutator = Mutator(random: SplitMix64(state: seed))
        for _ in 0..<150 {
            var bytes = Array(subject.text.utf8)
            mutator.mutate(&bytes)
            for diagnostic in subject.diagnostics(bytes: bytes) {
                #expect(diagnostic.line >= 1 && diagnostic.column >= 1 && !diagnostic.message.isEmpty)
                #expect(!diagnostic.description.unicodeScalars.contains { $0.value < 0x20 }, "\(diagnostic)")
            }
        }
    }

    /// Texts that could make a reader run without end, recurse too deeply, or print control characters.
    private static let hostile: [(String, String)] = [
        ("path with a NUL", "packs: \"a\\0b\""),
        ("path with an escape", "packs: \"\\e[31mred\\n\""),
        ("long path", "packs: \(String(repeating: "a/", count: 100_000))"),
        ("profile with a NUL", "link: \"./3g\\0.yaml\""),
        ("deep matrix", "matrix: {? \(String(repeating: "a.", count: 300_000))a : [1]}"),
        ("empty matrix path", "matrix: {\"\": [1], \".\": [2]}"),
        ("deep pattern", "workload: {command: x, progress: {match: '\(String(repeating: "(", count: 100_000))'}}"),
        (
            "pattern of parentheses",
            "workload: {command: x, progress: {match: '\(String(repeating: "(", count: 500))'}}"
        ),
        ("braces", "workload: {command: '\(String(repeating: "{", count: 100_000))'}"),
        ("placeholders", "workload: {command: '\(String(repeating: "{proxy}", count: 10_000))'}"),
        ("long name in braces", "workload: {command: '{\(String(repeating: "a", count: 100_000))'}"),
        ("long budget", "budgets: {longest_stall: 'max <= \(String(repeating: "1", count: 200_000)) s'}"),
        ("long expectation", "expect: '\(String(repeating: "error ", count: 100_000))'"),
        ("long number", "attempts: \(String(repeating: "9", count: 200_000))"),
        ("many keys", "expect: {\((0..<9000).map { "k\($0): x" }.joined(separator: ", "))}"),
    ]

    @Test(arguments: hostile) func hostileTextsAreReported(name: String, text: String) throws {
        let key = text.prefix { $0 != ":" }
        let rest = ["scenario: Test", "packs: ./packs", "link: 3g", "workload: [{request: {tags: [a]}}]"]
        let lines = rest.filter { !$0.hasPrefix(key) } + [text]
        let clock = ContinuousClock()
        let start = clock.now
        let found = try problems(inScenario: lines.joined(separator: "\n").utf8)
        #expect(
            found.isEmpty == ["braces", "placeholders", "long name in braces"].contains(name), "\(found.first ?? "")")
        #expect(!found.joined().unicodeScalars.contains { $0.value < 0x20 })
        #expect(found.allSatisfy { $0.count < 2000 })
        #expect(clock.now - start < .seconds(30), "\(name)")
    }
}
