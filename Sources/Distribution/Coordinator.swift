import Glibc
import ResultFiles
import Results
import SystemPackage

/// Runs a plan to its end: submits shards, watches them, resubmits lost ones, and collects their results.
package struct Coordinator: Sendable {
    package var engine: any Engine
    package var places: ShardFolder
    package var plan: ShardPlan
    /// The time after which everything is stopped; nil, the default: never.
    package var deadline: Duration?
    package var clock: any Clock<Duration> = ContinuousClock()
    /// Called with every event.
    package var report: @Sendable (DistributionProgress) -> Void = { _ in }

    /// How often a shard is started at most.
    package static let mostTries = 3
    private static let interval = Duration.seconds(1)
    /// How many polls in a row the engine may fail to answer: a controller of Slurm may be restarting.
    static let mostSilentLooks = 600

    package init(engine: any Engine, places: ShardFolder, plan: ShardPlan) {
        (self.engine, self.places, self.plan) = (engine, places, plan)
    }

    /// The results of the shards.
    package struct Outcome: Sendable {
        /// How the shards ended, in order.
        package var ends: [ShardEnd]
        /// Whether it ended before all shards had, because the task was cancelled or the deadline passed.
        package var isEarly = false
        /// Whether the reason was the deadline.
        package var isLate = false
    }

    /// The state of the run.
    struct Work {
        var plan: ShardPlan
        var ends: [Int: ShardEnd] = [:]
        var states: [Int: ShardState] = [:]
        var machines: [Int: String] = [:]
        var lost: [Int: [String]] = [:]
        var silentLooks = 0
        var watch: DistributionWatch
    }

    /// Runs all shards without a whole result, each at most three times.
    ///
    /// If the task is cancelled or the deadline passes, stops everything and collects what was finished. Throws
    /// ``EngineError`` if shards cannot be started, or if the engine does not answer any more; shards that run then
    /// keep running.
    package func perform() async throws -> Outcome {
        var work = Work(plan: plan, watch: DistributionWatch(plan, places))
        let remaining = clock.countdown(from: deadline)
        do {
            try await begin(&work)
            while work.ends.count < plan.count {
                if remaining() <= .zero {
                    var outcome = await stop(work)
                    outcome.isLate = true
                    return outcome
                }
                try await clock.sleep(for: Self.interval)
                try await look(&work)
            }
        } catch is CancellationError {
            let work = work
            // The cancellation of this task must not stop the task that ends the jobs.
            return await Task { await stop(work) }.value
        }
        return Outcome(ends: work.ends.sorted { $0.key < $1.key }.map(\.value))
    }

    /// Starts shards that were never started, and submissions that an earlier coordinator may not have started.
    private func begin(_ work: inout Work) async throws {
        for shard in 1...plan.count {
            let folder = places.whole(shard)
            guard let result = try? ResultMerge.Shard.read(in: folder), result.run.shard?.division == plan.division
            else { continue }
            finish(ShardEnd(shard: shard, result: result), &work)
        }
        for submission in work.plan.standing where submission.jobs == nil { try await start(submission, &work) }
        let new = (1...plan.count).filter { work.ends[$0] == nil && work.plan.submission(of: $0) == nil }
        if !new.isEmpty { try await submit(new, &work) }
    }

    private func submit(_ shards: [Int], _ work: inout Work) async throws {
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
        try await start(submission, &work)
    }

    private func start(_ submission: Submission, _ work: inout Work) async throws {
        let jobs: [String]
        do { jobs = try await engine.submit(submission) } catch {
            // None of its shards runs.
            work.plan.submissions[submission.number - 1].isOver = true
            try work.plan.write(to: places.plan)
            throw error
        }
        work.plan.submissions[submission.number - 1].jobs = jobs
        try work.plan.write(to: places.plan)
        report(.submitted(work.plan.submissions[submission.number - 1]))
    }

    private func look(_ work: inout Work) async throws {
        let states: [Int: ShardState]
        do {
            states = try await engine.states(of: work.plan.standing)
            work.silentLooks = 0
        } catch let error as EngineError {
            work.silentLooks += 1
            guard work.silentLooks < Self.mostSilentLooks else { throw error }
            if work.silentLooks == 1 { report(.unknown(why: error.description)) }
            states = [:]
        }
        for (shard, line) in work.watch.read() { report(.cell(shard: shard, line)) }
        var again: [Int] = []
        for shard in 1...plan.count where work.ends[shard] == nil {
            guard let state = states[shard] else { continue }
            if work.states.updateValue(state, forKey: shard) != state { report(.changed(shard: shard, state)) }
            if case .running(let machine) = state {
                work.watch.note(shard, isRunning: true)
                work.machines[shard] = machine ?? work.machines[shard]
            }
            guard let fate = await fate(of: shard, state, work) else { continue }
            for line in work.watch.read(shard) { report(.cell(shard: shard, line)) }
            if try await settle(shard, fate, &work) { again.append(shard) }
        }
        if !again.isEmpty { try await submit(again, &work) }
        report(.totals(work.watch.totals()))
    }

    /// What to do about a shard; nil while it waits or runs.
    private func fate(of shard: Int, _ state: ShardState, _ work: Work) async -> ShardFate? {
        switch state {
        case .waiting, .running: return nil
        case .lost(let why): return .again(why)
        case .stopped(let why): return .given(why)
        case .ended(let status):
            guard let submission = work.plan.submission(of: shard) else { return nil }
            do {
                let folder = try await engine.collect(shard, of: submission)
                return ShardFate(status: status, folder: folder, shard: shard, of: plan)
            } catch {
                return .again("its result could not be fetched: \(error)")
            }
        }
    }

    /// Handles the end of a shard; returns whether to start it again.
    private func settle(_ shard: Int, _ fate: ShardFate, _ work: inout Work) async throws -> Bool {
        switch fate {
        case .whole(var result):
            let whole = places.whole(shard)
            if result.folder != whole, rename(result.folder.string, whole.string) != 0 {
                throw EngineError.file(
                    whole,
                    reason: "could not move a shard's result there: \(Errno(rawValue: errno)). Check what is there."
                )
            }
            result.folder = whole
            report(.collected(shard: shard))
            finish(ShardEnd(shard: shard, result: result), &work)
        case .again(let why):
            work.lost[shard, default: []].append(why)
            let tries = work.plan.standing.count { $0.shards.contains(shard) }
            guard tries >= Self.mostTries else {
                report(.again(shard: shard, why: why))
                work.watch.note(shard, isRunning: false)
                return true
            }
            let end = "\(why); it was started \(tries) times"
            report(.gaveUp(shard: shard, why: end))
            finish(await part(of: shard, why: end, work), &work)
        case .given(let why):
            report(.gaveUp(shard: shard, why: why))
            finish(await part(of: shard, why: why, work), &work)
        }
        return false
    }

    private func finish(_ end: ShardEnd, _ work: inout Work) {
        var end = end
        (end.lost, end.machine) = (work.lost[end.shard] ?? [], work.machines[end.shard])
        work.ends[end.shard] = end
        let cells = end.result?.cells.map { ($0.summary.name, $0.summary.verdict == .fail) }
        work.watch.end(end.shard, failed: cells.map { Dictionary($0, uniquingKeysWith: { first, _ in first }) })
    }

    /// The partial result with the most cells, of all tries of a shard.
    private func part(of shard: Int, why: String, _ work: Work) async -> ShardEnd {
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
    private func stop(_ work: Work) async -> Outcome {
        var work = work
        await engine.cancel(work.plan.standing)
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
        // The next coordinator starts the missing shards again.
        for index in work.plan.submissions.indices { work.plan.submissions[index].isOver = true }
        do { try work.plan.write(to: places.plan) } catch { report(.unknown(why: "\(error)")) }
        return Outcome(ends: work.ends.sorted { $0.key < $1.key }.map(\.value), isEarly: true)
    }
}

extension Clock where Duration == Swift.Duration {
    /// Returns the remaining part of a time that begins now; without a time, always one second.
    fileprivate func countdown(from time: Duration?) -> @Sendable () -> Duration {
        guard let time else { return { .seconds(1) } }
        let end = now.advanced(by: time)
        return { now.duration(to: end) }
    }
}
