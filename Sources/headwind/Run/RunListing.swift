import Harness
import Results
import Wording

/// The output of `headwind run --list`: the cells, their expected durations and their shards.
struct RunListing: Encodable {
    /// A cell of the list.
    struct Row: Encodable {
        var name: String
        var expectedSeconds: Double
        var basis: ExpectedCell.Basis
        /// From 1; nil if the run is not divided.
        var shard: Int?

        private enum CodingKeys: String, CodingKey {
            case name, basis, shard
            case expectedSeconds = "expected_seconds"
        }
    }

    /// A shard of the list.
    struct Part: Encodable {
        /// From 1.
        var shard: Int
        var cells: Int
        var expectedSeconds: Double

        private enum CodingKeys: String, CodingKey {
            case shard, cells
            case expectedSeconds = "expected_seconds"
        }
    }

    private(set) var schema = 1
    private(set) var cells: [Row]
    private(set) var shards: [Part]
    /// The digest of the division, as in results of shards; nil if the run is not divided.
    private(set) var division: String?

    private enum CodingKeys: String, CodingKey {
        case cells, shards, division
        case schema = "schema_version"
    }

    /// Lists all cells, or only those of `shard`, with the shards of `division` if it is not nil.
    init(_ expected: [ExpectedCell], _ division: ShardDivision?, of shard: Int?) {
        let rows = expected.indices.map { index in
            Row(
                name: expected[index].name, expectedSeconds: expected[index].seconds, basis: expected[index].basis,
                shard: division?.shards[index])
        }
        let cells = rows.filter { shard == nil || $0.shard == shard }
        self.cells = cells
        shards = (division?.seconds ?? []).enumerated().map { index, seconds in
            Part(shard: index + 1, cells: rows.count { $0.shard == index + 1 }, expectedSeconds: seconds)
        }.filter { shard == nil || $0.shard == shard }
        self.division = division?.digest
    }

    /// The list as text.
    var lines: [String] {
        let head = ["CELL", "EXPECTED", "BY"] + (division == nil ? [] : ["SHARD"])
        let rows = cells.map { row in
            [row.name.singleLine, Self.text(row.expectedSeconds), row.basis.word] + (row.shard.map { ["\($0)"] } ?? [])
        }
        let table = TextTable.lines([head] + rows, numbers: [1, 3])
        let sum = cells.map(\.expectedSeconds).reduce(0, +)
        return table + [""] + shards.map(Self.line)
            + ["\(cells.count.counted("cell")), \(Self.text(sum)) one after the other"]
    }

    private static func line(_ part: Part) -> String {
        "shard \(part.shard): \(part.cells.counted("cell")), \(text(part.expectedSeconds))"
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
