package import LinkModel
import Synchronization

/// Plays parts of a schedule, and decides whether they reproduce the failure as often.
package final class LineTrial: Sendable {
    /// A line of the schedule.
    package typealias Line = FaultSchedule.Line

    private let play: @Sendable ([Line]) async throws -> Bool?
    private let mostTries: Int
    private let state = Mutex((plays: 0, rate: 1.0))

    /// `play` plays lines once, and returns whether the failure came back; nil if the play has no result.
    ///
    /// A play without a result is tried `mostTries` times.
    package init(mostTries: Int, play: @escaping @Sendable ([Line]) async throws -> Bool?) {
        (self.mostTries, self.play) = (mostTries, play)
    }

    /// How many plays were made so far.
    package var plays: Int { state.withLock { $0.plays } }
    /// The share of plays in which the whole schedule reproduces the failure.
    package var rate: Double {
        get { state.withLock { $0.rate } }
        set { state.withLock { $0.rate = newValue } }
    }

    /// In how many plays the failure came back; plays without a result are repeated.
    package func rate(of lines: [Line], times: Int) async throws -> (happened: Int, of: Int) {
        let ends = try await withThrowingTaskGroup(of: Bool?.self) { group in
            for _ in 0..<times { group.addTask { try await self.comesBack(lines) } }
            return try await group.reduce(into: [Bool]()) { ends, end in if let end { ends.append(end) } }
        }
        return (ends.count { $0 == true }, ends.count)
    }

    private func comesBack(_ lines: [Line]) async throws -> Bool? {
        for _ in 0..<mostTries {
            let result = try await play(lines)
            state.withLock { $0.plays += 1 }
            if let result { return result }
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
    package func smallest(_ whole: [Line], told: @escaping @Sendable (Int) -> Void) async throws -> [Line] {
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
