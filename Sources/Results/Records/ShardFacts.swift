/// One of several runs whose results were merged.
package struct ShardFacts: Hashable, Sendable, Codable {
    /// The last part of its folder's name.
    package var folder: String
    package var toolVersion: String
    /// The command line, without secrets.
    package var commandLine: [String]
    package var host: HostFacts
    /// RFC 3339, in UTC.
    package var startedAt: String
    package var durationSeconds: Double
    package var verdict: Verdict
    /// The names of the merged cells that come from it.
    package var cells: [String]
    /// The machine's name in the engine that ran the shard; nil if there was no engine, or the name is unknown.
    package var machine: String?
    /// Why it was run again, once for each time; nil if it was not.
    package var lost: [String]?

    private enum CodingKeys: String, SnakeCaseKey {
        case folder, host, verdict, cells, machine, lost, toolVersion, commandLine, startedAt, durationSeconds
    }
}

extension ShardFacts {
    /// A run of a folder, with the names of the merged cells that come from it.
    package init(_ run: RunResult, folder: String, cells: [String]) {
        self.init(
            folder: folder, toolVersion: run.toolVersion, commandLine: run.commandLine, host: run.host,
            startedAt: run.startedAt, durationSeconds: run.durationSeconds, verdict: run.verdict, cells: cells)
    }
}
