extension ExecSeries {
    /// Runs several at a time; returns the status of the lowest-numbered run that failed, or else of the last run.
    ///
    /// If no backend is chosen, the first run goes alone and chooses it. If a failure ends the series, the other runs
    /// are ended, and do not count.
    mutating func runSideBySide() async throws -> ExecStatus {
        plan.isBesideOthers = true
        var runs = Tally(asked: keeping?.status ?? 0, first: plan.seed)
        var next = 0
        if backend == nil {
            let outcome = try await runOnce()
            await hearInterruption(of: outcome.status)
            if !signals.isOver { try take(.success(outcome), number: 0, into: &runs) }
            next = 1
        }
        var isEnding = isUntilFailure && runs.failure != nil
        if isEnding || signals.isOver { next = times }
        let base = self
        try await withThrowingTaskGroup(of: Ended.self) { group in
            var active = 0
            func fill() {
                while active < jobs, next < times, !signals.isOver {
                    let number = next
                    var series = base
                    series.plan.seed = runs.first &+ UInt64(number)
                    group.addTask { [series] in
                        var series = series
                        do { return Ended(number: number, result: .success(try await series.runOnce())) } catch {
                            return Ended(number: number, result: .failure(error))
                        }
                    }
                    (next, active) = (next + 1, active + 1)
                }
            }
            fill()
            while let ended = try await group.next() {
                let (number, result) = (ended.number, ended.result)
                active -= 1
                if !isEnding, case .success(let outcome) = result { await hearInterruption(of: outcome.status) }
                // Runs that were ended because of another's failure do not count.
                if isEnding || signals.isOver { continue }
                do { try take(result, number: number, into: &runs) } catch {
                    signals.endPrograms()
                    throw error
                }
                if isUntilFailure, runs.failure != nil || runs.isBroken {
                    (isEnding, next) = (true, times)
                    signals.endPrograms()
                }
                fill()
            }
        }
        return try finish(runs)
    }

    /// The end of one run.
    private struct Ended: Sendable {
        let number: Int
        let result: Result<ExecOutcome, any Error>
    }

    /// The results of the runs so far.
    private struct Tally {
        let asked: Int32
        let first: UInt64
        /// The failed run with the lowest number.
        var failure: (number: Int, outcome: ExecOutcome)?
        /// The run with the highest number that did not fail.
        var last: (number: Int, outcome: ExecOutcome)?
        /// Whether Headwind itself failed in a run.
        var isBroken = false
    }

    private func take(
        _ result: Result<ExecOutcome, any Error>, number: Int, into runs: inout Tally
    ) throws {
        let outcome = try result.get()
        let status = outcome.status
        context.note("run \(number + 1) of \(times), seed \(runs.first &+ UInt64(number)): status \(status.status)")
        if status.cause == .headwind { runs.isBroken = true }
        if status.hasFailed(asked: runs.asked) {
            if runs.failure.map({ number < $0.number }) ?? true { runs.failure = (number, outcome) }
        } else if runs.last.map({ number > $0.number }) ?? true {
            runs.last = (number, outcome)
        }
    }

    private mutating func finish(_ runs: Tally) throws -> ExecStatus {
        let kept = runs.failure ?? runs.last
        let isInterrupted = signals.isOver && runs.failure == nil
        if let kept, let record = kept.outcome.record, !isInterrupted {
            plan.seed = runs.first &+ UInt64(kept.number)
            tell(try keeping?.write(record, of: plan, by: backend))
        }
        tell(try keeping?.writeScenario(by: backend))
        if let signal = signals.stop ?? (runs.failure == nil ? signals.over : nil) { return status(after: signal) }
        return kept?.outcome.status ?? ExecStatus(status: 0, cause: .command)
    }
}
