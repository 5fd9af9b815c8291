import Foundation
import Testing

/// The tutorials and step-by-step guides, run in a shell: each `sh` block prints the lines of the `text` block after
/// it.
@Suite("Tutorials", .sideBySide, .serialized, .timeLimit(.minutes(15)))
struct TutorialTests {
    private static let root = (0..<3).reduce(URL(filePath: #filePath)) { path, _ in path.deletingLastPathComponent() }
    private static let folder = root.appending(path: "docs/tutorials")
    private static let pages =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []).filter { $0.hasSuffix(".md") }
        .sorted()

    /// A block's script and the lines that it must print, in this order.
    ///
    /// `…` stands for any text.
    private struct Block {
        var script: String
        var output: [String] = []
    }

    /// The blocks of a page, in order.
    private static func blocks(_ page: String) throws -> [Block] {
        let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
        var blocks: [Block] = []
        for match in text.matches(of: /(?ms)^```(sh|text)\n(.*?)^```$/) {
            if match.output.1 == "sh" {
                blocks.append(Block(script: String(match.output.2)))
            } else {
                try #require(!blocks.isEmpty)
                blocks[blocks.count - 1].output = match.output.2.split(separator: "\n").map(String.init)
            }
        }
        return blocks
    }

    /// Whether a line matches a pattern, apart from blanks around it.
    private static func matches(_ line: Substring, _ pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "…")
        var rest = Substring(line.trimmingCharacters(in: .whitespaces))
        guard rest.hasPrefix(parts[0]) else { return false }
        rest = rest.dropFirst(parts[0].count)
        guard let last = parts.dropFirst().last else { return rest.isEmpty }
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }

    /// The first line of `output` that is missing, or nil if none is.
    private static func missing(of output: [String], in said: String) -> String? {
        var lines = said.split(separator: "\n")[...]
        for pattern in output {
            guard let place = lines.firstIndex(where: { matches($0, pattern) }) else { return pattern }
            lines = lines[(place + 1)...]
        }
        return nil
    }

    /// Runs a page in one shell, and repeats it while the machine is too busy.
    @Test(arguments: pages + ["../how-to/from-tests.md"]) func works(page: String) async throws {
        let blocks = try Self.blocks(page)
        #expect(blocks.count > 3)
        let end = "\u{1E}"
        let script = blocks.map { "\($0.script)printf '\\036'" }.joined(separator: "\n")
        var said: [String] = []
        for turn in 0..<6 {
            try await Task.sleep(for: .seconds(2 * turn))
            let answer = try await ExecRun.line(
                "PATH=\"$(dirname \"$HW\"):$PATH\"; unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY; set -e; exec 2>&1\n\(script)"
            )
            said = answer.output.components(separatedBy: end)
            // On a busy machine, attempts are repeated with other seeds.
            let isBusy = ["Exit code 75", "status 75", "the machine was too busy"].contains(
                where: answer.output.contains)
            let isAsSaid = zip(blocks, said).allSatisfy { Self.missing(of: $0.output, in: $1) == nil }
            if !isBusy || isAsSaid && said.count == blocks.count + 1 { break }
        }
        #expect(said.count == blocks.count + 1, "\(said.last ?? "")")
        for (block, said) in zip(blocks, said) {
            let missing = Self.missing(of: block.output, in: said)
            #expect(missing == nil, "\(block.script)says\n\(said)")
        }
    }

    /// Each scenario that a how-to guide writes to a file is valid.
    @Test func scenariosOfGuides() async throws {
        let folder = Self.root.appending(path: "docs/how-to")
        var scenarios: [String] = []
        for page in try FileManager.default.contentsOfDirectory(atPath: folder.path()) where page.hasSuffix(".md") {
            let text = try String(contentsOf: folder.appending(path: page), encoding: .utf8)
            scenarios += text.matches(of: /(?ms)^(cat > \w+\.yaml << 'EOF'\n.*?^EOF)$/).map { String($0.output.1) }
        }
        #expect(scenarios.count > 2)
        let answer = try await ExecRun.line(scenarios.joined(separator: "\n") + "\n\"$HW\" scenario check *.yaml")
        #expect(answer.status == 0, "\(answer.output)\(answer.errors)")
    }

    @Test func thereAreFourTutorials() { #expect(Self.pages.count == 4) }

    @Test(arguments: [
        ("a b", "a b", true), ("  a b ", "a b", true), ("a bc", "a b", false), ("a b c", "a …c", true),
        ("a b c", "a …b…", true), ("abc", "…d…", false), ("abc", "…c", true), ("abc", "b…", false),
        ("a1b2c", "a…b…c", true), ("a1c2b", "a…b…c", false),
    ])
    func patterns(line: String, pattern: String, isLike: Bool) {
        #expect(Self.matches(Substring(line), pattern) == isLike)
    }
}
