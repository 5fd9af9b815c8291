import Hunting
package import LinkModel
import Results
package import Scenarios
import Synchronization

/// The fewest lines of a bundle's schedule that reproduce its failure as often.
package struct ShrunkFailure: Sendable {
    package var schedule: FaultSchedule
    /// How many lines the bundle's schedule has.
    package var linesBefore: Int
    /// In how many of ``plays`` with the remaining lines the failure came back: at least one.
    package var cameBack: Int
    package var plays: Int
    /// How many plays were made in total.
    package var playsInAll: Int
    /// A cell that plays the remaining lines; ``passing`` plays one line fewer.
    package var failing: Cell
    /// nil if no line remains: the client fails without any.
    package var passing: Cell?
}

extension Replay {
    /// Removes lines of the schedule while the failure comes back as often; nil if it does not come back at all.
    ///
    /// Acknowledgements are removed first, as they follow from timing. Then it tries one outage instead of many lost
    /// packets of a connection, which is easier to understand. Then it removes lines until none can be removed. It
    /// calls `told` with the number of lines and of plays for each smaller schedule. Throws the errors of
    /// ``perform()``.
    package func shrink(told: @escaping @Sendable (Int, Int) -> Void = { _, _ in }) async throws -> ShrunkFailure? {
        let cell = cell
        let whole = cell.schedule?.faults ?? FaultSchedule()
        return try await run.withPreparedCell(of: cell, knowsDigest: true) { ground in
            // Of the last play without a result.
            let findings = Mutex<[Finding]>([])
            let trial = LineTrial(mostTries: Self.mostTries) { lines in
                let result = try await ground.play(cell.playing(FaultSchedule(seed: whole.seed, lines: lines)))
                switch play(result).outcome {
                case .cameBack: return true
                case .held, .failedOtherwise: return false
                case .notPlayed: findings.withLock { $0 = result.findings }
                }
                return nil
            }
            var (first, of) = try await trial.rate(of: whole.lines, times: times)
            guard of > 0 else { throw ReplayTrouble(findings: findings.withLock { $0 }) }
            if first < of {
                // A failure that comes back in some plays needs more plays for a better rate.
                let (more, plays) = try await trial.rate(of: whole.lines, times: Self.playsOfRates)
                (first, of) = (first + more, of + plays)
            }
            guard first > 0 else { return nil }
            trial.rate = Double(first) / Double(of)
            var lines = try await trial.smallest(whole.lines) { told($0, trial.plays) }
            var (cameBack, plays) = try await trial.rate(
                of: lines, times: max(times, Self.plays(rate: trial.rate)))
            // The remaining lines count only if the failure comes back with them again.
            if cameBack < 2 { (lines, cameBack, plays) = (whole.lines, first, of) }
            let schedule = FaultSchedule(seed: whole.seed, lines: lines)
            let fewer = FaultSchedule(seed: whole.seed, lines: Array(lines.dropLast()))
            return ShrunkFailure(
                schedule: schedule, linesBefore: whole.lines.count, cameBack: cameBack, plays: plays,
                playsInAll: trial.plays, failing: cell.playing(schedule),
                passing: lines.isEmpty ? nil : cell.playing(fewer))
        }
    }
}

extension Replay {
    private static let playsOfRates = 12

    /// The plays of which at least two show a failure of this rate, in 19 of 20 cases; at most 100.
    private static func plays(rate: Double) -> Int {
        // The Poisson distribution with this mean is below 2 in 5 % of cases.
        min(100, Int((4.75 / rate).rounded(.up)))
    }
}
