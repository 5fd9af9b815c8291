import ArgumentParser
import Distribution
import FoundationEssentials
import Harness
import ResultFiles
import Results
import Scenarios
import SystemPackage

extension EngineName: ExpressibleByArgument {}

/// Options for a run that is divided among machines.
struct DistributionOptions: ParsableArguments {
    @Option(
        name: .customLong("on"),
        help: ArgumentHelp(
            "Divide the cells into shards, and run them on other machines with this engine "
                + "(docs/how-to/elsewhere.md). (default: this machine)", valueName: "engine"))
    var engine: EngineName?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "With --on: an option of the engine, such as mem=4G of Slurm or host=lab1 of ssh. May be "
                + "repeated. (default: none)", valueName: "option"))
    var engineOption: [String] = []

    @Flag(help: "With --on: print the input for the engine, and start nothing.")
    var dryRun = false

    func validate() throws {
        guard engine == nil, dryRun || !engineOption.isEmpty else { return }
        throw ValidationError("--engine-option and --dry-run need --on ENGINE.")
    }

    /// The most shards by default: one for each cell, up to this many.
    static let usualShards = 8

    /// The plan of a divided run; nil without `--on`.
    func plan(
        of run: Run, _ sharding: ShardOptions, _ words: ShardWords, files: () throws -> [FilePath]
    ) async throws -> ShardPlan? {
        guard let engine else { return nil }
        if sharding.shard != nil {
            throw CommandFailure.usage("--on runs all shards, and --shard runs one: leave one option out.")
        }
        try await run.check()
        let cells = try await sharding.expectedCells(of: run)
        let (shards, digest) = Self.divide(cells, of: run, sharding)
        let digits = String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16)
        var plan = ShardPlan(
            toolVersion: Headwind.version, token: "headwind-\(digits)", engine: engine, options: engineOption,
            command: words.command, division: digest, cells: shards.map { $0.map(\.name) },
            seconds: shards.map { $0.map(\.seconds) })
        plan.files = try files().map(\.string)
        plan.hasMeasuredDurations = sharding.durations == nil ? nil : true
        return plan
    }

    /// The cells of each shard, and a digest that identifies the division.
    private static func divide(
        _ cells: [ExpectedCell], of run: Run, _ sharding: ShardOptions
    ) -> (shards: [[ExpectedCell]], digest: String) {
        if sharding.attemptsAcross {
            let count = sharding.shards ?? usualShards
            return (run.sharesOfAttempts(cells, into: count), Run.divisionOfAttempts(cells.map(\.name), into: count))
        }
        let division = ShardDivision(cells, into: sharding.shards ?? max(1, min(cells.count, usualShards)))
        let shards = division.seconds.indices.map { shard in
            cells.indices.filter { division.shards[$0] == shard + 1 }.map { cells[$0] }
        }
        return (shards, division.digest)
    }
}

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
