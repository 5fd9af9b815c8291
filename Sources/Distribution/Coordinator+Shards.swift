import Glibc
import ResultFiles
import SystemPackage

extension Coordinator {
    /// Starts shards that were never started, and submissions that an earlier coordinator may not have started.
    func begin(_ work: inout Work) async throws {
        for shard in 1...plan.count {
            let folder = places.whole(shard)
            guard let result = try? ResultMerge.Shard.read(in: folder), result.run.shard?.division == plan.division
            else { continue }
            finish(ShardEnd(shard: shard, result: result), &work)
        }
        try await endRest(&work)
        for submission in work.plan.standing where submission.jobs == nil { try await start(submission, &work) }
        let new = (1...plan.count).filter { work.ends[$0] == nil && work.plan.submission(of: $0) == nil }
        guard !new.isEmpty else { return }
        let submission = try add(new, &work)
        do { try await start(submission, &work) } catch let error as EngineError {
            throw try await refusal(error, of: submission, &work)
        }
    }

    /// Ends what an earlier coordinator began to end.
    private func endRest(_ work: inout Work) async throws {
        let rest = work.plan.standing.filter { $0.isEnding == true }
        guard !rest.isEmpty else { return }
        let isOver = await engine.cancel(rest)
        try Task.checkCancellation()
        guard isOver else {
            throw EngineError.file(
                places.folder,
                reason: "jobs of this run were cancelled, and may still write to it. Try again when "
                    + "\(plan.engine.rawValue) answers.")
        }
        for submission in rest { work.plan[submission].isOver = true }
        try work.plan.write(to: places.plan)
    }

    /// Adds a submission of shards to the plan.
    @discardableResult
    func add(_ shards: [Int], _ work: inout Work) throws -> Submission {
        let submission = Submission(number: work.plan.submissions.count + 1, shards: shards)
        for shard in shards {
            // A node that only seems dead may still write to it.
            let log = places.log(shard)
            if let earlier = work.plan.submission(of: shard) {
                rename(log.string, places.folder.appending("shard-\(shard).\(earlier.number).log").string)
            }
            work.watch.restart(shard)
        }
        work.plan.submissions.append(submission)
        try work.plan.write(to: places.plan)
        return submission
    }

    private func start(_ submission: Submission, _ work: inout Work) async throws {
        let jobs = try await engine.submit(submission)
        work.plan[submission].jobs = jobs
        try work.plan.write(to: places.plan)
        report(.submitted(work.plan[submission]))
    }

    /// Starts added submissions; after an error only some looks later.
    func startAgain(_ work: inout Work) async throws {
        work.pause = max(0, work.pause - 1)
        guard work.pause == 0 else { return }
        for submission in work.plan.standing where submission.jobs == nil {
            work.pause = Self.startPause
            try await start(submission, &work)
            work.pause = 0
        }
    }

    /// What to throw if the first submission failed; it is over unless its jobs may run.
    private func refusal(
        _ error: EngineError, of submission: Submission, _ work: inout Work
    ) async throws -> EngineError {
        var error = error
        if case .unsure(let cause) = error {
            // The cancellation of this task must not stop the task that ends the jobs.
            let isOver = await Task { await engine.cancel([submission]) }.value
            guard isOver else { return error }
            error = cause
        }
        work.plan[submission].isOver = true
        try work.plan.write(to: places.plan)
        return error
    }
}

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
