package import Results

/// Where a client is hunted: plays faults, one attempt at a time, each with a fresh client, host and link.
package protocol HuntStage: Sendable {
    var packs: [HuntPack] { get }
    /// Whether the client knows what the packs are by their digests.
    var knowsDigest: Bool { get }

    /// Makes one attempt, and judges it; may be called by several tasks at once.
    ///
    /// Throws `CancellationError`, and what keeps any attempt from being made.
    func play(_ candidate: Candidate) async throws -> CellResult
}

extension HuntStage {
    /// Plays until an attempt counts; nil where the machine or Headwind spoils each of three.
    package func playUndisturbed(_ candidate: Candidate) async throws -> CellResult? {
        for _ in 1...3 {
            let cell = try await play(candidate)
            if cell.verdict == .pass || cell.verdict == .fail { return cell }
        }
        return nil
    }

    /// Plays several times side by side; without the attempts that were spoilt.
    func playUndisturbed(_ candidate: Candidate, times: Int) async throws -> [CellResult] {
        try await withThrowingTaskGroup(of: CellResult?.self) { group in
            for _ in 0..<times { group.addTask { try await playUndisturbed(candidate) } }
            return try await group.reduce(into: []) { cells, cell in if let cell { cells.append(cell) } }
        }
    }
}
