import Foundation
import Testing

/// Pages and scenarios contain none of the words that CONTRIBUTING.md refuses.
@Suite("Words of pages and scenarios")
struct WordsTests {
    private static let pages =
        ["README.md", "CHANGELOG.md", "SECURITY.md"] + Repository.files(in: "docs", endings: ["md"])
        + Repository.files(in: "scenarios", endings: ["yaml"])

    /// The words of the last row of the table in CONTRIBUTING.md.
    private static func refused() throws -> [String] {
        let row = try Repository.text("CONTRIBUTING.md").split(separator: "\n").last {
            $0.hasSuffix("| say who does what |")
        }
        return try #require(row).split(separator: "|")[0].split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    /// The words of `refused` that a text contains, in any case and across lines, but not in code.
    private static func found(_ refused: [String], in text: String) -> [String] {
        let prose = Page(text).prose.replacing(/`[^`]*`/, with: "").lowercased()
        let words = prose.split { !$0.isLetter && $0 != "'" }.joined(separator: " ")
        return refused.filter { " \(words) ".contains(" \($0) ") }
    }

    @Test(arguments: pages) func page(_ page: String) throws {
        #expect(Self.found(try Self.refused(), in: try Repository.text(page)) == [])
    }

    @Test func theListOfRefusedWordsIsRead() throws {
        let refused = try Self.refused()
        #expect(refused.contains("whoever") && refused.contains("held against") && refused.count > 5)
        #expect(
            Self.found(refused, in: "Whoever asks; it is held\nagainst him. `nobody`") == ["whoever", "held against"])
    }
}
