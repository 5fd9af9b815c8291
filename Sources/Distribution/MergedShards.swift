package import ResultFiles
package import Results
package import SystemPackage

/// How a shard ended.
package struct ShardEnd: Sendable {
    /// The number of the shard, from 1.
    package var shard: Int
    /// Its result, with summaries of its cells; nil if it left none.
    package var result: ResultMerge.Shard?
    /// Why there is no whole result, as the end of a sentence; nil if there is one.
    package var why: String?
    /// The engine's name of the machine that it ran on; nil if unknown.
    package var machine: String?
    /// The reasons of its restarts, one each.
    package var lost: [String] = []
}

/// What to do about a shard that no longer runs.
enum ShardFate {
    /// It has a whole result.
    case whole(ResultMerge.Shard)
    /// Another try may give a whole result.
    case again(String)
    /// Another try would have the same result.
    case given(String)

    /// What to do by the status of a shard's command and the result that it left.
    static func of(_ shard: Int, status: Int32, folder: FilePath?, in plan: ShardPlan) -> Self {
        let found: ResultMerge.Shard?
        do {
            found = try folder.flatMap { folder throws(UnreadableResult) in try ResultMerge.Shard.read(in: folder) }
        } catch {
            return of(
                status, "its command ended with status \(status), and its result cannot be used: \(error.reason)")
        }
        guard let found else { return of(status, "its command ended with status \(status) and left no result") }
        let result = found.run
        guard result.shard?.division == plan.division, result.shard?.index == shard else {
            return .given(
                "it belongs to another division: its scenarios, durations or Headwind differ from this run's")
        }
        guard result.isWhole || result.findings.contains(where: { $0.attribution == .deadlineReached }) else {
            return of(status, "its command ended with status \(status) before all of its cells were finished")
        }
        if let trouble = result.findings.first(where: { Self.worthAnotherMachine.contains($0.attribution) }) {
            return .again("its whole run had trouble: \(trouble.detail)")
        }
        return .whole(found)
    }

    /// Troubles of a machine that another machine may not have.
    private static let worthAnotherMachine: Set<Attribution> = [
        .resultsDiskFull, .resultsNotWritten, .scratchDiskFull, .resourcesMissing, .capabilityMissing,
    ]

    /// Wrong files, and Headwind's own failures, would repeat.
    private static func of(_ status: Int32, _ why: String) -> Self {
        [1, 64, 65].contains(status) ? .given(why) : .again(why)
    }
}

/// Merges the results of the shards of a divided run into its folder.
package struct MergedShards: Sendable {
    package var result: RunResult
    /// Remarks for the user.
    package var remarks: [String]
    /// The names of the reports that were written.
    package var files: [String]

    /// Writes the merged result: whole shards, parts of others, and the names of cells without a result.
    ///
    /// `ending` is why it ended before all shards had; nil if it did not. Throws `MergeError` and `ResultFileError`.
    package init(
        _ ends: [ShardEnd], of plan: ShardPlan, into output: FilePath, hold: ResultsLock?, commandLine: [String],
        ending: Attribution?
    ) throws {
        let places = ShardFolder(output: output)
        let host = ends.lazy.compactMap(\.result?.run.host).first ?? .ofThisMachine
        let start = ends.compactMap(\.result?.run.startedAt).min() ?? ""
        let shards = ends.map { end in
            var shard =
                end.result
                ?? ResultMerge.Shard(
                    folder: places.whole(end.shard), run: Self.empty(end, plan, host: host, startedAt: start))
            (shard.machine, shard.lost) = (end.machine, end.lost)
            shard.wasStopped = ending != nil && end.why != nil
            return shard
        }
        let merge = try ResultMerge(shards)
        let given = ends.filter { $0.why != nil }
        let done = ends.compactMap(\.result).map(\.cells.count).reduce(0, +)
        let planned = plan.cells.map(\.count).reduce(0, +)
        let why = given.prefix(3).map { "shard \($0.shard)/\(plan.count): \($0.why ?? "")" }.joined(separator: "; ")
        let more = given.count > 3 ? "; and \(given.count - 3) more" : ""
        let finding =
            ending.map { Finding($0, "") }
            ?? (given.isEmpty || done == planned
                ? nil : Finding(.unfinished, "\(done) of \(planned) cells finished; \(why)\(more)"))
        let (run, missing, files) = try merge.write(
            to: output, hold: hold, commandLine: commandLine, toolVersion: plan.toolVersion, ending: finding)
        (result, self.files) = (run, files)
        remarks = merge.remarks + [ResultMerge.remark(onMissing: missing)].compactMap(\.self)
    }

    /// The result of a shard that left none: all its cells are unfinished.
    private static func empty(
        _ end: ShardEnd, _ plan: ShardPlan, host: HostFacts, startedAt: String
    ) -> RunResult {
        var run = RunResult(
            toolVersion: plan.toolVersion, commandLine: [], seed: nil, host: host, startedAt: startedAt,
            durationSeconds: 0,
            cells: [], unfinished: plan.cells[end.shard - 1],
            ending: Finding(.unfinished, end.why ?? "it left no result"))
        run.shard = ShardNumber("\(end.shard)/\(plan.count)")
        run.shard?.division = plan.division
        return run
    }
}
