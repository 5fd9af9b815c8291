import Hunting
package import LinkModel
import PackFormat
import Results
package import Scenarios
import Synchronization

/// The fewest lines of a bundle's list that bring its failure back as often.
package struct ShrunkFailure: Sendable {
    package var schedule: FaultSchedule
    /// How many lines the bundle's list has.
    package var linesBefore: Int
    /// In how many plays of the lines that are left the failure came back, of how many.
    package var cameBack: Int
    package var plays: Int
    /// How many plays it took.
    package var playsInAll: Int
    /// A cell that plays the lines that are left, and one that plays one line fewer.
    package var failing: Cell
    /// Nil where no line is left: it fails without any.
    package var passing: Cell?
}

extension Replay {
    /// Takes lines of the list away as long as the failure comes back as often; nil where it does not come back to begin with.
    ///
    /// Acknowledgements go first, for they follow from timing; then what many lost packets of a connection do is tried as one
    /// outage, which a person understands; then lines are taken away until none can go. `told` is told of each smaller list.
    /// Throws as ``perform()`` does.
    package func shrink(told: @escaping @Sendable (Int, Int) -> Void = { _, _ in }) async throws -> ShrunkFailure? {
        let cell = cell
        let whole = cell.schedule?.faults ?? FaultSchedule()
        return try await run.withPreparedCell(of: cell, knowsDigest: true) { ground in
            let trial = LineTrial(replay: self, ground: ground, cell: cell, seed: whole.seed)
            var (first, of) = try await trial.rate(of: whole.lines, times: times)
            guard of > 0 else { throw ReplayTrouble(findings: trial.findings) }
            if first < of {
                // Of what comes back in some plays the rate has to be known better.
                let (more, plays) = try await trial.rate(of: whole.lines, times: Self.playsOfRates)
                (first, of) = (first + more, of + plays)
            }
            guard first > 0 else { return nil }
            trial.rate = Double(first) / Double(of)
            let lines = try await trial.smallest(whole.lines) { told($0, trial.plays) }
            let (cameBack, plays) = try await trial.rate(of: lines, times: times)
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

    /// How its cell is run.
    package var run: Run {
        var scenario = bundle.scenario
        scenario.cells = [cell]
        var run = Run(scenarios: [scenario], programs: programs, toolVersion: toolVersion, commandLine: commandLine)
        (run.jobs, run.dependencies, run.report) = (jobs, dependencies, report)
        return run
    }
}

/// Plays parts of a list, and says whether they bring the failure back as often.
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
    /// Why the last play that says nothing says nothing.
    var findings: [Finding] { state.withLock { $0.findings } }
    /// How often the whole list brings the failure back.
    var rate: Double {
        get { state.withLock { $0.rate } }
        set { state.withLock { $0.rate = newValue } }
    }

    /// In how many of some plays the failure came back; plays that say nothing are made again.
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

    /// The lines with one outage in the place of many lost packets; nil where none does the same.
    private func lifted(_ lines: [Line]) async throws -> [Line]? {
        for lifted in LiftedLine.candidates(of: lines) where lines.count > lifted.others.count + 1 {
            let fewer = lifted.others + [lifted.line]
            if try await holds(fewer) { return fewer }
        }
        return nil
    }

    /// The fewest lines; `told` is told how many are left.
    func smallest(_ whole: [Line], told: @escaping @Sendable (Int) -> Void) async throws -> [Line] {
        var lines = whole
        // All of a kind that says little, at once.
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
