import FoundationEssentials
import Testing

@testable import headwind

/// Which words of a command line are passed to the shards of a divided run.
struct ShardWordsTests {
    @Test(
        arguments: [
            (["run", "a.yaml", "--on", "slurm", "-o", "r"], [], ["a.yaml"]),
            (["run", "--on=slurm", "--output=r", "--shards=3", "--quick"], ["--quick"], []),
            (
                ["run", "--only", "--x", "--engine-option", "--mem=1", "--client", "./c", "b", "--", "-d"],
                ["--only", "--x", "--client", "./c"], ["b", "-d"]
            ),
            (["run", "--save-baseline", "b.json", "s"], ["--save-baseline", "/dev/null"], ["s"]),
            (["run", "--deadline", "5min", "--junit", "j", "--no-retry", "--verbose", "s"], ["--no-retry"], ["s"]),
            (["run", "--capture", "--resolve=a:1", "s", "--on", "slurm"], ["--capture", "--resolve", "a:1"], ["s"]),
        ] as [([String], [String], [String])])
    func optionsOfTheWholeRunAreLeftOut(words: [String], options: [String], scenarios: [String]) {
        let command = ShardWords(["headwind"] + words).command
        #expect(command.options.flatMap(\.words) == options)
        #expect(command.scenarios == scenarios)
    }

    @Test(
        arguments: [
            (["--resume", "r", "--format", "json", "--deadline=5min", "--no-history", "--save-baseline", "b"], []),
            (["--resume=r", "--client", "./c", "--only", "3g", "--jobs=1"], ["--client", "--only", "--jobs"]),
            (["--resume", "r", "a.yaml"], ["a.yaml"]),
        ] as [([String], [String])])
    func optionsOfShardsCannotChange(words: [String], fixed: [String]) {
        #expect(ShardWords(["headwind", "run"] + words).fixed == fixed)
    }

    /// A new flag must be added to `ShardWords.flags`: else the word after it is taken for its value.
    @Test func flagsAreThoseOfTheCommand() throws {
        struct Tool: Decodable {
            struct Name: Decodable { var name: String }
            struct Argument: Decodable {
                var kind: String
                var names: [Name]?
            }
            struct Command: Decodable { var arguments: [Argument] }
            var command: Command
        }
        let text = RunCommand._dumpHelp()
        let tool = try JSONDecoder().decode(Tool.self, from: Data(text.utf8))
        let flags = tool.command.arguments.filter { $0.kind == "flag" }.flatMap { $0.names ?? [] }.map(\.name)
        #expect(
            Set(flags).subtracting(["help", "h", "version"]).map { "--\($0)" }.sorted() == ShardWords.flags.sorted())
    }
}
