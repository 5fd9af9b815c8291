package import Results

/// Plays faults against a client, in attempts that each have a fresh client, host and link.
package protocol HuntStage: Sendable {
    var packs: [HuntPack] { get }
    /// Whether the client knows the digests of the packs.
    var knowsDigest: Bool { get }
    /// The needs of faults that the client and its link meet.
    var metNeeds: Set<HuntFault.Need> { get }
    /// How many attempts wait for others to end before they begin.
    var waiting: Int { get }

    /// Makes one attempt, and judges it; several tasks may call it at once.
    ///
    /// Throws `CancellationError`, and errors that prevent any attempt.
    func play(_ candidate: Candidate) async throws -> CellResult
}

extension HuntStage {
    /// Plays until an attempt counts, at most three times, and returns the last attempt.
    func playUntilItCounts(_ candidate: Candidate) async throws -> CellResult {
        for _ in 1...2 {
            let cell = try await play(candidate)
            if cell.isUndisturbed { return cell }
        }
        return try await play(candidate)
    }

    /// Plays without faults until an attempt counts, and returns the last attempt.
    ///
    /// All else depends on this attempt, so a busy machine may disturb 19 attempts, and any number within 30 seconds.
    /// Other trouble, and a client that avoids the link, ends it after three.
    package func playWithoutFaults(now: () -> ContinuousClock.Instant = { .now }) async throws -> CellResult {
        let end = now() + .seconds(30)
        var number = 1
        while true {
            let cell = try await play(Candidate([]))
            let troubles = cell.findings.map(\.attribution)
            let isFinal = troubles.contains { !$0.row.isWorthARetry || $0 == .linkBypassed }
            if cell.isUndisturbed || (isFinal ? number >= 3 : number >= 20 && now() >= end) { return cell }
            number += 1
        }
    }

    /// Plays several times at once; returns in how many of the attempts that count the failure came back.
    func returns(
        of failure: HuntFailure, with candidate: Candidate, times: Int
    ) async throws -> (cameBack: Int, plays: Int) {
        let cells = try await playUndisturbed(candidate, times: times)
        return (cells.count { HuntFailure(of: $0) == failure }, cells.count)
    }

    /// Plays several times at once, and returns the attempts that count.
    private func playUndisturbed(_ candidate: Candidate, times: Int) async throws -> [CellResult] {
        try await withThrowingTaskGroup(of: CellResult.self) { group in
            for _ in 0..<times { group.addTask { try await playUntilItCounts(candidate) } }
            return try await group.reduce(into: []) { cells, cell in if cell.isUndisturbed { cells.append(cell) } }
        }
    }
}

extension CellResult {
    /// Whether neither the machine nor Headwind disturbed the attempt.
    package var isUndisturbed: Bool { verdict == .pass || verdict == .fail }
}
