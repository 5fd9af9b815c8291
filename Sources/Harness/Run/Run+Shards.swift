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
        /// The mean of the others, or a second where none is known.
        case mean
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
        let cells = scenarios.flatMap(\.cells)
        let isMeasured = cells.allSatisfy { measured[$0.nameInBaselines] != nil }
        let ideals = isMeasured ? cells.map { _ in nil } : try await idealTimes()
        var expected = zip(cells, ideals).map { cell, ideal in
            let name = cell.nameInBaselines
            if let seconds = measured[name] { return ExpectedCell(name: name, seconds: seconds, basis: .measured) }
            let seconds = ideal.map { $0.seconds * Double(cell.attempts.min) }
            return ExpectedCell(name: name, seconds: seconds ?? 0, basis: seconds == nil ? .mean : .ideal)
        }
        let known = expected.filter { $0.basis != .mean }.map(\.seconds)
        let mean = known.isEmpty ? 1 : known.reduce(0, +) / Double(known.count)
        for index in expected.indices {
            if expected[index].basis == .mean { expected[index].seconds = mean }
            expected[index].seconds = max(expected[index].seconds, Self.leastSeconds)
        }
        return expected
    }

    /// Less than any cell takes.
    private static let leastSeconds = 0.01

    /// Leaves the run the cells of one shard, with their places in the whole.
    package mutating func keep(_ shard: ShardPlace, of division: ShardDivision) {
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
