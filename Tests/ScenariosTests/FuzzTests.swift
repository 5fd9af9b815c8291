import LinkModel
import SystemPackage
import Testing

@testable import Scenarios

/// Files that nobody wrote: whatever the bytes are, they are a value or have problems with places, and nothing crashes.
@Suite struct FuzzTests {
    /// Edits that people and broken disks make, drawn from a seed.
    private struct Mutator: RandomNumberGenerator {
        var state: UInt64

        /// SplitMix64, by Sebastiano Vigna.
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }

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

    @Test(arguments: [Examples.scenario, Examples.command, Examples.profile], 1...4)
    func anyBytesAreAValueOrHaveProblems(_ subject: MutationTests.Subject, seed: UInt64) {
        var mutator = Mutator(state: seed)
        for _ in 0..<150 {
            var bytes = Array(subject.text.utf8)
            mutator.mutate(&bytes)
            for diagnostic in subject.diagnostics(bytes: bytes) {
                #expect(diagnostic.line >= 1 && diagnostic.column >= 1 && !diagnostic.message.isEmpty)
                #expect(!diagnostic.description.contains { $0.isNewline }, "\(diagnostic)")
            }
        }
    }
}
