import PackFormat
import ProcessGuard
package import Results
import Scenarios

/// A cell that is to be run, and how long it is expected to take.
package struct ExpectedCell: Hashable, Sendable {
    /// What the duration rests on.
    package enum Basis: String, Hashable, Sendable, Codable {
        /// The same cell's duration in an earlier run.
        case measured
        /// The time of a perfect client, times the attempts.
        case ideal
        /// Its pauses and bytes, or its deadline, times the attempts: no perfect client's time is known.
        case rough
    }

    /// As in results: `3g [link.seed=7]`.
    package var name: String
    package var seconds: Double
    package var basis: Basis
}

extension Run {
    /// The cells in their order, with how long each is expected to take.
    ///
    /// `measured` has durations of an earlier run, in seconds, by the names of cells. Builds what the others serve; throws where
    /// that cannot be built.
    package func expectedCells(measured: [String: Double]) async throws -> [ExpectedCell] {
        try await withScratchDirectory(in: Self.temporary, guardProgram: programs.guardProgram) { scratch in
            let contents = ContentStore(scratch: scratch)
            return try scenarios.flatMap(\.cells).map { cell in
                let name = cell.nameInBaselines
                if let seconds = measured[name] {
                    return ExpectedCell(name: name, seconds: max(seconds, Self.leastSeconds), basis: .measured)
                }
                let content = try contents.prepare(cell)
                let seconds = max(cell.expectedTime(content).seconds, Self.leastSeconds)
                return ExpectedCell(
                    name: name, seconds: seconds, basis: cell.idealTime(content) == nil ? .rough : .ideal)
            }
        }
    }

    /// What a cell takes at least, though nothing crosses its link.
    private static let leastSeconds = 0.5

    /// Leaves the run the cells of one shard, with their places in the whole.
    package mutating func keep(_ shard: ShardNumber, of division: ShardDivision) {
        self.shard = shard
        self.shard?.division = division.digest
        keep { division.shards[$0] == shard.index }
    }

    /// Leaves the run some of its cells, by their numbers; it stays a part of what it was.
    mutating func keep(_ isKept: (Int) -> Bool) {
        let cells = scenarios.flatMap(\.cells)
        comparedCells = comparedCells ?? cells.count(where: \.isCompared)
        places = cells.indices.filter(isKept).map { places.isEmpty ? $0 : places[$0] }
        var next = 0
        for index in scenarios.indices {
            scenarios[index].cells = scenarios[index].cells.filter { _ in
                defer { next += 1 }
                return isKept(next)
            }
        }
        scenarios.removeAll(where: \.cells.isEmpty)
    }
}
