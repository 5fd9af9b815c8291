import PackFormat
import ProcessGuard
package import Results
import Scenarios
package import SystemPackage

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
            let contents = ContentStore(scratch: scratch, packs: builtPacks)
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

    /// Leaves the run a share of the attempts of each cell, and the cells that have one, with their places in the whole.
    ///
    /// No attempts are added where the evidence does not suffice: that is seen when all of them are together.
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

    /// The cells of each shard where attempts are divided, with how long its share of each is expected to take.
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

    /// What names the division of the attempts of these cells.
    package static func divisionOfAttempts(_ names: [String], into count: Int) -> String {
        Digest.sha256Hex(Array("attempts/\(count)\n\(names.sorted().joined(separator: "\n"))".utf8))
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

extension Run {
    /// Builds the packs of all catalogs into a folder, where shards find them; see ``packs``.
    package func buildPacks(into folder: FilePath) async throws {
        try await withScratchDirectory(in: Self.temporary, guardProgram: programs.guardProgram) { scratch in
            let contents = ContentStore(scratch: scratch, packs: BuiltPacks(folder: folder, toolVersion: toolVersion))
            for cell in scenarios.flatMap(\.cells) { _ = try contents.prepare(cell) }
        }
    }

    /// Where packs are kept; nil: nowhere.
    var builtPacks: BuiltPacks? { packs.map { BuiltPacks(folder: $0, toolVersion: toolVersion) } }
}
