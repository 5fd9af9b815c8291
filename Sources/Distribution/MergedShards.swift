package import ResultFiles
package import Results
package import SystemPackage

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
