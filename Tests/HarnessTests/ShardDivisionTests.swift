import LinkModel
import Results
import Testing

@testable import Harness

/// How cells are divided among machines.
@Suite struct ShardDivisionTests {
    /// Cells of lengths between a second and some minutes, the same in each run of the test.
    private static func items(_ count: Int, seed: Int = 1) -> [ExpectedCell] {
        (0..<count).map { index in
            let chance = Double((index + seed) * 2_654_435_761 % 1_000_003) / 1_000_003
            return .init(name: "cell [seed=\(index)]", seconds: 1 + 200 * chance * chance * chance, basis: .rough)
        }
    }

    @Test(arguments: [(20, 2), (20, 8), (100, 8), (1000, 8), (1000, 50)])
    func noShardTakesMuchLongerThanTheIdeal(cells: Int, shards: Int) throws {
        let items = Self.items(cells)
        let division = ShardDivision(items, into: shards)
        #expect(division.shards.count == cells && division.shards.allSatisfy((1...shards).contains))
        #expect(division.seconds.count == shards)
        for shard in 1...shards {
            let sum = items.indices.filter { division.shards[$0] == shard }.map { items[$0].seconds }.reduce(0, +)
            #expect(abs(sum - division.seconds[shard - 1]) < 1e-6)
        }
        let all = items.map(\.seconds)
        let ideal = max(all.reduce(0, +) / Double(shards), try #require(all.max()))
        #expect(try #require(division.seconds.max()) <= ideal * 1.15)
    }

    @Test func theOrderOfTheCellsDoesNotMatter() {
        let items = Self.items(100)
        let (division, reversed) = (ShardDivision(items, into: 7), ShardDivision(items.reversed(), into: 7))
        #expect(division.shards == reversed.shards.reversed() && division.digest == reversed.digest)
        #expect(division.digest != ShardDivision(items, into: 8).digest)
    }

    /// All machines of a run must agree about the division, whatever version of the standard library they have.
    @Test func theDivisionIsTheSameEverywhere() {
        let items = (1...12).map { ExpectedCell(name: "cell-\($0)", seconds: Double($0), basis: .rough) }
        #expect(ShardDivision(items, into: 3).shards == [2, 3, 2, 1, 3, 2, 3, 2, 2, 3, 1, 1])
    }

    @Test func aNewCellMovesFewOthers() {
        for (cells, shards, most) in [(100, 8, 25), (1000, 8, 60), (1000, 50, 150)] {
            var moved: [Int] = []
            for seed in 1...10 {
                let items = Self.items(cells, seed: seed)
                let before = ShardDivision(items, into: shards)
                let new = ExpectedCell(name: "new", seconds: Double(seed) * 20, basis: .rough)
                let after = ShardDivision(items + [new], into: shards)
                moved.append(zip(before.shards, after.shards).count { $0 != $1 })
            }
            #expect(moved.reduce(0, +) / moved.count <= most, "\(cells) cells in \(shards) shards: \(moved)")
        }
    }

    @Test func oneCellThatTakesLongerThanAllOthersIsAlone() {
        let short = Self.items(5).map { ExpectedCell(name: $0.name, seconds: 1, basis: .rough) }
        let items = [ExpectedCell(name: "long", seconds: 100, basis: .rough)] + short
        let division = ShardDivision(items, into: 2)
        #expect(division.shards.count { $0 == division.shards[0] } == 1)
        #expect(ShardDivision([], into: 3).seconds == [0, 0, 0])
    }

    /// Clusters in virtual time: 100,000 cells on 1,000 nodes, some of which fail and lose the shard that they run.
    @Test func aClusterWithFailingNodesIsNearlyIdeal() throws {
        let (items, nodes, shardsPerNode) = (Self.items(100_000), 1000, 16)
        let division = ShardDivision(items, into: nodes * shardsPerNode)
        let ideal = items.map(\.seconds).reduce(0, +) / Double(nodes)
        func chance(_ name: String) -> Double { Double(KeyedRandom(seed: 7).streamKey(name) >> 11) * 0x1p-53 }
        for failing in [0, 0.01, 0.05] {
            // Each node that fails does so at some moment of the run, and does not come back.
            let failures = (0..<nodes).map { node in
                chance("fails \(node)") < failing ? chance("at \(node)") * ideal : .infinity
            }
            var free = [Double](repeating: 0, count: nodes)
            var waiting = division.seconds.sorted()
            var lost = 0
            while let shard = waiting.popLast() {
                let node = try #require(free.indices.min { free[$0] < free[$1] })
                if free[node] + shard > failures[node] {
                    free[node] = .infinity
                    waiting.append(shard)
                    lost += 1
                } else {
                    free[node] += shard
                }
            }
            let makespan = try #require(free.filter(\.isFinite).max())
            #expect(makespan <= ideal * 1.15, "\(makespan / ideal) × the ideal, \(lost) shards lost")
            #expect((lost > 0) == (failing > 0))
        }
    }

    @Test(
        arguments: [
            ("1/1", 1, 1), ("3/8", 3, 8), ("10000/10000", 10_000, 10_000), ("0/8", nil, nil), ("9/8", nil, nil),
            ("3", nil, nil), ("3/8/9", nil, nil), ("/8", nil, nil), ("3/", nil, nil), ("-1/8", nil, nil),
            ("+3/8", nil, nil),
            ("3/10001", nil, nil), ("٣/8", nil, nil), ("99999999999999999999/8", nil, nil),
        ] as [(String, Int?, Int?)])
    func aPartIsWrittenAsTwoNumbers(text: String, index: Int?, count: Int?) {
        let place = ShardNumber(text)
        #expect(place?.index == index && place?.count == count)
    }
}
