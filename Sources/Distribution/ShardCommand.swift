/// The parts of a shard's command line: `PROGRAM run --shard 3/8 --output FOLDER OPTIONS -- SCENARIOS`.
package struct ShardCommand: Hashable, Sendable, Codable {
    /// An option as given, with its value if it has one.
    package struct Option: Hashable, Sendable, Codable {
        /// Its name with its hyphens: `--client`.
        package var name: String
        package var value: String?

        package init(_ name: String, _ value: String? = nil) { (self.name, self.value) = (name, value) }

        package var words: [String] { [name] + (value.map { [$0] } ?? []) }
    }

    /// The absolute path of `headwind` on this machine.
    package var program: String
    /// The folder that relative paths are relative to.
    package var directory: String
    /// The options of `headwind run`, except those for the shard, its folder and its progress.
    package var options: [Option]
    /// Scenarios and folders of them; empty: the bundled suite, or that of `--suite`.
    package var scenarios: [String]

    package init(program: String, directory: String, options: [Option], scenarios: [String]) {
        (self.program, self.directory, self.options, self.scenarios) = (program, directory, options, scenarios)
    }

    /// The arguments that all shards share, after those that name the shard and its folder.
    package func shared(durations: String?, packs: String? = nil) -> [String] {
        (durations.map { ["--durations", $0] } ?? []) + (packs.map { ["--packs", $0] } ?? []) + [
            "--progress", "json", "--no-history",
        ]
            + options.flatMap(\.words)
            + (scenarios.isEmpty ? [] : ["--"] + scenarios)
    }
}
