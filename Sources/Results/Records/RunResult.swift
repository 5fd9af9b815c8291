/// A run: what `result.json` holds, and what every report is made of.
package struct RunResult: Hashable, Sendable, Codable {
    /// The schema that this version writes; see `docs/results.md` for what may change without a new number.
    package static let currentSchema = 1

    package var schema: Int
    package var toolVersion: String
    /// The command line, without secrets.
    package var commandLine: [String]
    package var seed: Seed
    package var host: HostFacts
    /// RFC 3339, in UTC.
    package var startedAt: String
    package var durationSeconds: Double
    package var cells: [CellResult]
    /// What concerns the run as a whole.
    package var findings: [Finding]
    package var verdict: Verdict
    package var exitCode: Int32

    /// Makes the run's verdict of its cells' and of its own findings'; of no cells it is never a pass.
    package init(
        toolVersion: String,
        commandLine: [String],
        seed: UInt64,
        host: HostFacts,
        startedAt: String,
        durationSeconds: Double,
        cells: [CellResult],
        findings: [Finding] = []
    ) {
        let all = findings + (cells.isEmpty ? [Finding(.nothingChecked, "no cell was run")] : [])
        self.schema = Self.currentSchema
        self.toolVersion = toolVersion
        self.commandLine = commandLine
        self.seed = Seed(seed)
        self.host = host
        self.startedAt = startedAt
        self.durationSeconds = durationSeconds
        self.cells = cells
        self.findings = all
        self.verdict = .combining(cells.map(\.verdict) + all.map(\.attribution.row.verdict))
        self.exitCode = (cells.map(\.exitCode) + all.map(\.attribution.row.exitCode)).max() ?? 0
    }

    private enum CodingKeys: String, CodingKey {
        case seed, host, cells, findings, verdict
        case schema = "schema_version"
        case toolVersion = "tool_version"
        case commandLine = "command_line"
        case startedAt = "started_at"
        case durationSeconds = "duration_seconds"
        case exitCode = "exit_code"
    }
}
