import Hunting
package import LinkModel
import PackFormat
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
            let trial = LineTrial(replay: self, ground: ground, cell: cell, seed: whole.seed)
            var (first, of) = try await trial.rate(of: whole.lines, times: times)
            guard of > 0 else { throw ReplayTrouble(findings: trial.findings) }
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

/// Plays parts of a schedule, and decides whether they reproduce the failure as often.
private final class LineTrial: Sendable {
    typealias Line = FaultSchedule.Line

    private let replay: Replay
    private let ground: PreparedCell
    private let cell: Cell
    private let seed: UInt64?
    private let state = Mutex((plays: 0, rate: 1.0, findings: [Finding]()))

    init(replay: Replay, ground: PreparedCell, cell: Cell, seed: UInt64?) {
        (self.replay, self.ground, self.cell, self.seed) = (replay, ground, cell, seed)
    }

    var plays: Int { state.withLock { $0.plays } }
    /// Findings of the last play without a result.
    var findings: [Finding] { state.withLock { $0.findings } }
    /// The share of plays in which the whole schedule reproduces the failure.
    var rate: Double {
        get { state.withLock { $0.rate } }
        set { state.withLock { $0.rate = newValue } }
    }

    /// In how many plays the failure came back; plays without a result are repeated.
    func rate(of lines: [Line], times: Int) async throws -> (happened: Int, of: Int) {
        let ends = try await withThrowingTaskGroup(of: Bool?.self) { group in
            for _ in 0..<times { group.addTask { try await self.comesBack(lines) } }
            return try await group.reduce(into: [Bool]()) { ends, end in if let end { ends.append(end) } }
        }
        return (ends.count { $0 == true }, ends.count)
    }

    private func comesBack(_ lines: [Line]) async throws -> Bool? {
        for _ in 0..<Replay.mostTries {
            let result = try await ground.play(cell.playing(FaultSchedule(seed: seed, lines: lines)))
            state.withLock { $0.plays += 1 }
            switch replay.play(result).outcome {
            case .cameBack: return true
            case .held, .failedOtherwise: return false
            case .notPlayed: state.withLock { $0.findings = result.findings }
            }
        }
        return nil
    }

    private func holds(_ lines: [Line]) async throws -> Bool {
        try await SequentialTest.holds(rate: rate) { try await self.rate(of: lines, times: $0) }
    }

    /// The lines with one outage instead of many lost packets; nil if no outage has the same effect.
    private func lifted(_ lines: [Line]) async throws -> [Line]? {
        for lifted in LiftedLine.candidates(of: lines) where lines.count > lifted.others.count + 1 {
            let fewer = lifted.others + [lifted.line]
            if try await holds(fewer) { return fewer }
        }
        return nil
    }

    /// The fewest lines; calls `told` with the number that remain.
    func smallest(_ whole: [Line], told: @escaping @Sendable (Int) -> Void) async throws -> [Line] {
        var lines = whole
        // First removes all lines of a kind that matters little.
        let kinds: [@Sendable (Line) -> Bool] = [\.isAcknowledgement, \.isHandshake, \.isRepetition]
        for isLittle in kinds {
            let rest = lines.filter { !isLittle($0) }
            if rest.count < lines.count, !rest.isEmpty, try await holds(rest) {
                lines = rest
                told(lines.count)
            }
        }
        while let lifted = try await lifted(lines) {
            lines = lifted
            told(lines.count)
        }
        let shrinking = Shrinking<Line> { lines in
            let holds = try await self.holds(lines)
            if holds { told(lines.count) }
            return holds
        }
        return try await shrinking.minimum(of: lines)
    }
}
