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
    ///
    /// Once `isOver` is true, it plays no more.
    func playUntilItCounts(_ candidate: Candidate, until isOver: @Sendable () -> Bool) async throws -> CellResult {
        for _ in 1...2 {
            let cell = try await play(candidate)
            if cell.isUndisturbed || isOver() { return cell }
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

    /// Plays `times` times, at most `width` at once, and adds each attempt that counts to `count` when it ends.
    ///
    /// Once `isOver` is true, no further attempt begins. If it throws, `count` has the attempts that ended before.
    func play(
        _ candidate: Candidate, times: Int, atOnce width: Int, seeking failure: HuntFailure,
        into count: inout PlayCount, until isOver: @escaping @Sendable () -> Bool
    ) async throws {
        try await withThrowingTaskGroup(of: CellResult.self) { group in
            for begun in 0..<times {
                if begun >= width, let cell = try await group.next() { count.add(cell, failure) }
                if isOver() { break }
                group.addTask { try await playUntilItCounts(candidate, until: isOver) }
            }
            while let cell = try await group.next() { count.add(cell, failure) }
        }
    }
}

/// In how many of the plays that count a failure came back.
package struct PlayCount: Sendable {
    package var cameBack = 0
    package var plays = 0

    /// The share of the plays in which it came back.
    package var rate: Double { Double(cameBack) / Double(plays) }

    fileprivate mutating func add(_ cell: CellResult, _ failure: HuntFailure) {
        guard cell.isUndisturbed else { return }
        plays += 1
        if HuntFailure(of: cell) == failure { cameBack += 1 }
    }
}

extension CellResult {
    /// Whether neither the machine nor Headwind disturbed the attempt.
    package var isUndisturbed: Bool { verdict == .pass || verdict == .fail }
}
