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
    /// How long the engine may fail: a controller of Slurm may be restarting.
    static let mostSilence = Duration.seconds(600)
    /// How many looks to wait after a shard could not be started again.
    static let startPause = 10

    package init(engine: any Engine, places: ShardFolder, plan: ShardPlan) {
        (self.engine, self.places, self.plan) = (engine, places.own(plan), plan)
    }

    /// The results of the shards.
    package struct Outcome: Sendable {
        /// How the shards ended, in order.
        package var ends: [ShardEnd]
        /// Whether it ended before all shards had, because the task was cancelled or the deadline passed.
        package var isEarly = false
        /// Whether the reason was the deadline.
        package var isLate = false
        /// Whether jobs may go on, because the engine did not accept their end.
        package var mayGoOn = false
    }

    /// The state of the run.
    struct Work {
        var plan: ShardPlan
        var ends: [Int: ShardEnd] = [:]
        var states: [Int: ShardState] = [:]
        var machines: [Int: String] = [:]
        var lost: [Int: [String]] = [:]
        /// How much longer the engine may fail; nil if it does not.
        var patience: (@Sendable () -> Duration)?
        /// For how many looks nothing is started again.
        var pause = 0
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
        var isLate = false
        do {
            try await begin(&work)
            while work.ends.count < plan.count {
                isLate = remaining() <= .zero
                if isLate { throw CancellationError() }
                try await clock.sleep(for: Self.interval)
                try await look(&work)
            }
        } catch is CancellationError {
            // The cancellation of this task must not stop the task that ends the jobs.
            let work = work
            var outcome = await Task { await stop(work) }.value
            outcome.isLate = isLate
            return outcome
        }
        return Outcome(ends: work.ends.sorted { $0.key < $1.key }.map(\.value))
    }

    private func look(_ work: inout Work) async throws {
        var trouble: EngineError?
        var states: [Int: ShardState] = [:]
        do {
            states = try await engine.states(of: work.plan.standing.filter { $0.jobs != nil })
        } catch let error as EngineError { trouble = error }
        for (shard, line) in work.watch.read() { report(.cell(shard: shard, line)) }
        var again: [Int] = []
        for shard in 1...plan.count where work.ends[shard] == nil && work.plan.submission(of: shard)?.jobs != nil {
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
        if !again.isEmpty { try add(again, &work) }
        do { try await startAgain(&work) } catch let error as EngineError { trouble = error }
        try bear(trouble, &work)
        report(.totals(work.watch.totals()))
    }

    /// Throws the error of an engine that has failed for some minutes.
    private func bear(_ trouble: EngineError?, _ work: inout Work) throws {
        guard let trouble else {
            if work.plan.standing.allSatisfy({ $0.jobs != nil }) { work.patience = nil }
            return
        }
        if let patience = work.patience {
            if patience() <= .zero { throw trouble }
        } else {
            work.patience = clock.countdown(from: Self.mostSilence)
            report(.unknown(why: trouble.description))
        }
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
                return .of(shard, status: status, folder: folder, in: plan)
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
}

extension Clock where Duration == Swift.Duration {
    /// Returns the remaining part of a time that begins now; without a time, always one second.
    func countdown(from time: Duration?) -> @Sendable () -> Duration {
        guard let time else { return { .seconds(1) } }
        let end = now.advanced(by: time)
        return { now.duration(to: end) }
    }
}
