/// One of several runs whose results were put together.
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
    /// The names of the cells that are from it.
    package var cells: [String]
    /// What the engine that ran it calls the machine; nil where none did, or that is not known.
    package var machine: String?
    /// Why it was run again, each time; nil where it was not.
    package var lost: [String]?

    package init(_ run: RunResult, folder: String, cells: [String]) {
        self.folder = folder
        toolVersion = run.toolVersion
        commandLine = run.commandLine
        host = run.host
        startedAt = run.startedAt
        durationSeconds = run.durationSeconds
        verdict = run.verdict
        self.cells = cells
    }

    private enum CodingKeys: String, CodingKey {
        case folder, host, verdict, cells, machine, lost
        case toolVersion = "tool_version"
        case commandLine = "command_line"
        case startedAt = "started_at"
        case durationSeconds = "duration_seconds"
    }
}
