import Wording

/// A run: the content of `result.json`, from which every report is made.
package struct RunResult: Hashable, Sendable, Codable {
    /// The schema that this version writes; see `docs/reference/results.md` for what may change without a new number.
    package static let currentSchema = 1

    package var schema: Int
    package var toolVersion: String
    /// The command line, without secrets.
    package var commandLine: [String]
    /// The seed of the cells' random decisions; nil if the cells have different seeds.
    ///
    /// Each attempt has its own seed.
    package var seed: Seed?
    package var host: HostFacts
    /// RFC 3339, in UTC.
    package var startedAt: String
    package var durationSeconds: Double
    package var cells: [CellResult]
    /// The cells that the file has in addition; nil, as in every result that is read, if ``cells`` are all.
    package var left: CellTally?
    /// How many cells were planned; nil in results of an older version, which wrote only whole runs.
    package var plannedCells: Int?
    /// The names of the cells that have no verdict, in the order of the plan; nil as ``plannedCells``.
    package var unfinishedCells: [String]?
    /// The findings about the run as a whole.
    package var findings: [Finding]
    package var verdict: Verdict
    package var exitCode: Int32
    /// Which part of a divided run this is; nil for a whole run.
    package var shard: ShardNumber?
    /// The runs whose results were merged here; nil if this is one run's result.
    package var shards: [ShardFacts]?
    /// What the run does if the evidence is insufficient; nil is ``OnInconclusive/fail``.
    package var onInconclusive: OnInconclusive?

    /// What a run does if the evidence is insufficient.
    package enum OnInconclusive: String, CaseIterable, Codable, Sendable {
        /// It ends with the exit code 98.
        case fail
        /// It does not affect the exit code, and reports warn of it.
        case warn
        /// It does not affect the exit code.
        case pass
    }

    private enum CodingKeys: String, SnakeCaseKey {
        case seed, host, cells, findings, verdict, shard, shards
        case schema = "schema_version"
        case toolVersion, commandLine, startedAt, durationSeconds, plannedCells, unfinishedCells, exitCode,
            onInconclusive
    }
}

extension RunResult {
    /// Makes the run's verdict from its cells' verdicts and its own findings.
    ///
    /// A run without a cell, or with a missing cell, never passes: it gets a finding that says so. `unfinished` are the
    /// names of the planned cells that are not among `cells`. `ending` is why the run ended early, or has not ended;
    /// nil, the default, is for a finished run. Without a detail it gets the number of cells. `left` are cells that are
    /// not in `cells`, but count all the same; nil, the default, is for none.
    package init(
        toolVersion: String,
        commandLine: [String],
        seed: UInt64?,
        host: HostFacts,
        startedAt: String,
        durationSeconds: Double,
        cells: [CellResult],
        left: CellTally? = nil,
        unfinished: [String] = [],
        ending: Finding? = nil,
        findings: [Finding] = [],
        onInconclusive: OnInconclusive = .fail
    ) {
        let done = cells.count + (left?.count ?? 0)
        let all = findings + Self.shortfall(done, unfinished, ending)
        let outcomes = cells.map(\.outcome) + (left?.outcomes.keys.map(\.self) ?? [])
        let counting = outcomes.filter { $0.decides && ($0.verdict != .inconclusive || onInconclusive == .fail) }
        self.init(
            schema: Self.currentSchema, toolVersion: toolVersion, commandLine: commandLine, seed: seed.map(Seed.init),
            host: host, startedAt: startedAt, durationSeconds: durationSeconds, cells: cells, left: left,
            plannedCells: done + unfinished.count, unfinishedCells: unfinished, findings: all,
            verdict: .combining(
                outcomes.map { $0.decides ? $0.verdict : .pass } + all.map(\.attribution.row.verdict)),
            exitCode: (counting.map(\.exitCode) + all.map(\.attribution.row.exitCode)).max() ?? 0,
            onInconclusive: onInconclusive == .fail ? nil : onInconclusive)
    }

    /// The finding that says why cells are missing, or that there are none; empty if the run is complete.
    private static func shortfall(_ done: Int, _ unfinished: [String], _ ending: Finding?) -> [Finding] {
        if let ending, !ending.detail.isEmpty { return [ending] }
        let progress = progress(done: done, unfinished)
        if let ending { return [Finding(ending.attribution, progress)] }
        if !unfinished.isEmpty { return [Finding(.unfinished, progress)] }
        return done == 0 ? [Finding(.nothingChecked, "no cell was run")] : []
    }

    /// The progress of a run, and some of the names of missing cells.
    private static func progress(done: Int, _ unfinished: [String]) -> String {
        let planned = done + unfinished.count
        let text = "\(done) of \(planned.counted("cell")) finished"
        return unfinished.isEmpty ? text : "\(text), not \(unfinished.quoted(most: 3))"
    }

    /// Whether the run finished: every planned cell has a verdict, and it was not stopped.
    package var isWhole: Bool {
        let early: Set<Attribution> = [.unfinished, .interrupted, .terminated, .deadlineReached]
        return unfinishedCells?.isEmpty != false && !findings.contains { early.contains($0.attribution) }
    }
}
