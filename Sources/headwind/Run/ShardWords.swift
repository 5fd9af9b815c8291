import Distribution
import FoundationEssentials
import Scenarios

/// The command line of `headwind run --on`, as its shards get it.
struct ShardWords {
    /// The options without a value; a test compares them with those of `headwind run`.
    static let flags: Set<String> = [
        "--quick", "--capture", "--keep-secrets", "--no-retry", "--verbose", "--suggest-budgets", "--list", "--dry-run",
        "--no-history", "--attempts-across",
    ]

    /// The options that shards do not get: for the output of the whole run, its division and its deadline.
    private static let own: Set<String> = [
        "--on", "--shards", "--engine-option", "--dry-run", "--output", "-o", "--output-root", "--keep", "--keep-size",
        "--junit", "--format", "--verbose", "--suggest-budgets", "--margin", "--history", "--no-history", "--deadline",
        "--durations", "--progress", "--list",
    ]

    let command: ShardCommand

    /// The options and scenarios that a resumed run cannot take, because its plan has its own.
    var fixed: [String] {
        command.options.map(\.name).filter { !["--resume", "--save-baseline"].contains($0) } + command.scenarios
    }

    /// Reads the words after `run`.
    init(_ words: some Collection<String>) {
        var options: [ShardCommand.Option] = []
        var scenarios: [String] = []
        var rest = Array(words.drop { $0 != "run" }.dropFirst())[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word.count > 1 else {
                scenarios.append(word)
                continue
            }
            if word == "--" {
                scenarios += rest
                break
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = parts.count > 1 ? parts[1] : Self.flags.contains(word) ? nil : rest.popFirst()
            if !Self.own.contains(parts[0]) { options.append(.init(parts[0], value)) }
        }
        // Only the whole run writes the baseline. But the shards need the option, as budgets may require it.
        for index in options.indices where options[index].name == "--save-baseline" {
            options[index].value = "/dev/null"
        }
        command = ShardCommand(
            program: BundledFiles.executable.string, directory: FileManager.default.currentDirectoryPath,
            options: options,
            scenarios: scenarios)
    }
}
