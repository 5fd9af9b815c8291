import PackFormat
package import Results
import Scenarios
package import SystemPackage

/// A cell, with the time that it is expected to take.
package struct ExpectedCell: Hashable, Sendable {
    /// What the expected time is based on.
    package enum Basis: String, Hashable, Sendable, Codable {
        /// The same cell's duration in an earlier run.
        case measured
        /// The time of a perfect client, multiplied by the attempts.
        case ideal
        /// The cell's pauses and bytes, or its deadline, multiplied by the attempts: a perfect client's time is
        /// unknown.
        case rough
    }

    /// The name as in results: `3g [link.seed=7]`.
    package var name: String
    /// More than 0.
    package var seconds: Double
    package var basis: Basis
}

extension Run {
    /// The cells in their order, with the time that each is expected to take.
    ///
    /// `measured` has durations of an earlier run, in seconds, by cell name. Builds what the other cells serve; throws
    /// if that cannot be built.
    package func expectedCells(measured: [String: Double]) async throws -> [ExpectedCell] {
        try await withContents { contents in
            try scenarios.flatMap(\.cells).map { cell in
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

    /// The least time of a cell in seconds, even with an offline link.
    private static let leastSeconds = 0.5

    /// Reduces the run to the cells of one shard, with their places in the whole run.
    package mutating func keep(_ shard: ShardNumber, of division: ShardDivision) {
        self.shard = shard
        self.shard?.division = division.digest
        keep { division.shards[$0] == shard.index }
    }

    /// Reduces the run to a share of each cell's attempts, with the cells' places in the whole run.
    ///
    /// Cells without a share are removed. No attempts are added for too little evidence, which only shows when all
    /// shares are merged.
    package mutating func keep(sharesOf part: ShardNumber) {
        for scenario in scenarios.indices {
            for cell in scenarios[scenario].cells.indices {
                let count = scenarios[scenario].cells[cell].attempts.min
                scenarios[scenario].cells[cell].attempts = Attempts(min: count, max: count)
            }
        }
        let cells = scenarios.flatMap(\.cells)
        (shard, attemptShare) = (part, part)
        shard?.division = Self.divisionOfAttempts(cells.map(\.nameInBaselines), into: part.count)
        keep { cells[$0].attempts.min >= part.index }
    }

    /// The cells of each shard if attempts are divided, with the expected time of the shard's share of each.
    package func sharesOfAttempts(_ cells: [ExpectedCell], into count: Int) -> [[ExpectedCell]] {
        let attempts = scenarios.flatMap(\.cells).map(\.attempts.min)
        return (1...count).map { shard in
            zip(cells, attempts).filter { $1 >= shard }.map { cell, all in
                var share = cell
                share.seconds *= Double((all - shard) / count + 1) / Double(all)
                return share
            }
        }
    }

    /// The digest of the division of these cells' attempts.
    package static func divisionOfAttempts(_ names: [String], into count: Int) -> String {
        Digest.sha256Hex(Array("attempts/\(count)\n\(names.sorted().joined(separator: "\n"))".utf8))
    }

    /// Reduces the run to some of its cells, by index; it stays a part of the whole run.
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

extension Run {
    /// Builds the packs of all catalogs into a folder that shards then use; see ``packs``.
    package func buildPacks(into folder: FilePath) async throws {
        var run = self
        run.packs = folder
        try await run.withContents { contents in
            for cell in scenarios.flatMap(\.cells) { _ = try contents.prepare(cell) }
        }
    }

    /// The folder of built packs; nil: none is kept.
    var builtPacks: BuiltPacks? { packs.map { BuiltPacks(folder: $0, toolVersion: toolVersion) } }
}
