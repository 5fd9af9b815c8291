/// The command line of a shard, in its parts: `PROGRAM run --shard 3/8 --output FOLDER OPTIONS -- SCENARIOS`.
package struct ShardCommand: Hashable, Sendable, Codable {
    /// An option as it was given, with its value where it takes one.
    package struct Option: Hashable, Sendable, Codable {
        /// Its name with its hyphens: `--client`.
        package var name: String
        package var value: String?

        package init(_ name: String, _ value: String? = nil) { (self.name, self.value) = (name, value) }

        package var words: [String] { [name] + (value.map { [$0] } ?? []) }
    }

    /// `headwind` on this machine, by a whole path.
    package var program: String
    /// The folder that relative paths begin in.
    package var directory: String
    /// Those of `headwind run`, but for what names the shard, its folder and how its progress is told.
    package var options: [Option]
    /// Scenarios and folders of them; none: the bundled suite, or that of `--suite`.
    package var scenarios: [String]

    package init(program: String, directory: String, options: [Option], scenarios: [String]) {
        (self.program, self.directory, self.options, self.scenarios) = (program, directory, options, scenarios)
    }

    /// The words behind the program's name, of one shard.
    package func arguments(shard: String, output: String, durations: String? = nil) -> [String] {
        ["run", "--shard", shard, "--output", output] + shared(durations: durations)
    }

    /// Those that all shards have, behind what names the shard and its folder.
    package func shared(durations: String?, packs: String? = nil) -> [String] {
        (durations.map { ["--durations", $0] } ?? []) + (packs.map { ["--packs", $0] } ?? []) + [
            "--progress", "json", "--no-history",
        ]
            + options.flatMap(\.words)
            + (scenarios.isEmpty ? [] : ["--"] + scenarios)
    }
}
