import Documents
import Harness
import Results
import Wording

/// The output of `headwind run --list`: the cells, their expected durations and their shards.
struct RunListing {
    /// The cells, with their shards from 1; nil if the run is not divided.
    private let cells: [(cell: ExpectedCell, shard: Int?)]
    /// The numbers of the shards, from 1, with the cells and the expected seconds of each.
    private let shards: [(number: Int, cells: Int, seconds: Double)]
    /// The digest of the division, as in results of shards; nil if the run is not divided.
    private let division: String?

    /// Lists all cells, or only those of `shard`, with the shards of `division` if it is not nil.
    init(_ expected: [ExpectedCell], _ division: ShardDivision?, of shard: Int?) {
        let cells = expected.indices.map { (cell: expected[$0], shard: division?.shards[$0]) }
        self.cells = cells.filter { shard == nil || $0.shard == shard }
        shards = (division?.seconds ?? []).enumerated().map { index, seconds in
            (number: index + 1, cells: cells.count { $0.shard == index + 1 }, seconds: seconds)
        }.filter { shard == nil || $0.number == shard }
        self.division = division?.digest
    }

    /// The list as JSON.
    var json: JSONTree {
        let cells = cells.map { cell, shard in
            JSONTree.object([
                "name": .text(cell.name), "expected_seconds": .number(cell.seconds),
                "basis": .text(cell.basis.rawValue), "shard": shard.map(JSONTree.whole),
            ])
        }
        let shards = shards.map { number, cells, seconds in
            JSONTree.object(["shard": .whole(number), "cells": .whole(cells), "expected_seconds": .number(seconds)])
        }
        return .object([
            "schema_version": .whole(1), "cells": .list(cells), "shards": .list(shards),
            "division": division.map(JSONTree.text),
        ])
    }

    /// The list as text.
    var lines: [String] {
        let head = ["CELL", "EXPECTED", "BY"] + (division == nil ? [] : ["SHARD"])
        let rows = cells.map { cell, shard in
            [cell.name.singleLine, Self.text(cell.seconds), cell.basis.word] + (shard.map { ["\($0)"] } ?? [])
        }
        let table = TextTable.lines([head] + rows, numbers: [1, 3])
        let sum = cells.map(\.cell.seconds).reduce(0, +)
        return table + [""]
            + shards.map { "shard \($0.number): \($0.cells.counted("cell")), \(Self.text($0.seconds))" }
            + ["\(cells.count.counted("cell")), \(Self.text(sum)) one after the other"]
    }

    private static func text(_ seconds: Double) -> String { Quantity(seconds, .seconds).rounded() }
}

extension ExpectedCell.Basis {
    /// The word in the list.
    fileprivate var word: String {
        switch self {
        case .measured: "earlier run"
        case .ideal: "perfect client"
        case .rough: "rough"
        }
    }
}
