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
