import ArgumentParser
import Distribution
import Harness
import ResultFiles
import Results
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
            throw CommandFailure(.usage, "--on runs all shards, and --shard runs one: leave one option out.")
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
