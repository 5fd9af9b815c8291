import Glibc
import ResultFiles
import SystemPackage

extension Coordinator {
    func finish(_ end: ShardEnd, _ work: inout Work) {
        var end = end
        (end.lost, end.machine) = (work.lost[end.shard] ?? [], work.machines[end.shard])
        work.ends[end.shard] = end
        let cells = end.result?.cells.map { ($0.summary.name, $0.summary.outcome.verdict == .fail) }
        work.watch.end(end.shard, failed: cells.map { Dictionary($0, uniquingKeysWith: { first, _ in first }) })
    }

    /// The partial result with the most cells, of all tries of a shard.
    func part(of shard: Int, why: String, _ work: Work) async -> ShardEnd {
        var best = ShardEnd(shard: shard, why: why)
        for submission in work.plan.submissions where submission.shards.contains(shard) {
            // If it cannot be fetched again, what was fetched before is there.
            let folder = (try? await engine.collect(shard, of: submission)) ?? places.part(shard, of: submission)
            guard let result = try? ResultMerge.Shard.read(in: folder), result.run.shard?.division == plan.division,
                result.cells.count >= best.result?.cells.count ?? 0
            else { continue }
            best.result = result
        }
        return best
    }

    /// Stops everything, and collects the results so far.
    func stop(_ work: Work) async -> Outcome {
        var work = work
        // The ends of their jobs mean nothing from now on, also to the next coordinator.
        for submission in work.plan.standing { work.plan[submission].isEnding = true }
        record(work)
        let isOver = await engine.cancel(work.plan.standing)
        for shard in 1...plan.count where work.ends[shard] == nil {
            var end = await part(of: shard, why: "it was stopped", work)
            if let result = end.result, result.run.isWhole {
                let whole = places.whole(shard)
                if rename(result.folder.string, whole.string) == 0 {
                    end.result?.folder = whole
                    end.why = nil
                }
            }
            finish(end, &work)
        }
        if isOver {
            // The next coordinator starts the missing shards again.
            for index in work.plan.submissions.indices { work.plan.submissions[index].isOver = true }
            record(work)
        }
        return Outcome(ends: work.ends.sorted { $0.key < $1.key }.map(\.value), isEarly: true, mayGoOn: !isOver)
    }

    private func record(_ work: Work) {
        do { try work.plan.write(to: places.plan) } catch { report(.unknown(why: "\(error)")) }
    }
}
