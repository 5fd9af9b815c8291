import LinkModel
import PackFormat
import Results

/// Assigns each cell of a run to a shard, when several machines share the run.
///
/// The same cells and durations give the same division on every machine. Each cell's name determines a sequence of
/// shards, and the cell goes to the first of them that has room. So a new cell moves few others. This is consistent
/// hashing with bounded loads (Mirrokni, Thorup and Zadimoghaddam, SODA 2018).
package struct ShardDivision: Hashable, Sendable {
    /// The shard of each cell, from 1, in the order of the cells.
    package let shards: [Int]
    /// The sum of the expected durations of each shard, in seconds.
    package let seconds: [Double]
    /// The SHA-256 of names and shards, in hexadecimal digits.
    package let digest: String

    /// Divides cells with different names into `count` shards, some of which may stay empty.
    package init(_ items: [ExpectedCell], into count: Int) {
        precondition(count > 0, "a run has a shard at least")
        // The longest first, as they are hardest to fit; cells of similar length are in a random order that others do
        // not change.
        let order = items.indices.map { index in
            (index, size: items[index].seconds.exponent, key: Self.random.streamKey(items[index].name))
        }.sorted { ($1.size, $0.key, items[$0.0].name) < ($0.size, $1.key, items[$1.0].name) }.map(\.0)
        let mean = items.map(\.seconds).reduce(0, +) / Double(count)
        var excess = 0.05
        var placed = Self.place(items, order, count, limit: mean * (1 + excess))
        while placed == nil {
            excess *= 2
            placed = Self.place(items, order, count, limit: mean * (1 + excess))
        }
        let (shards, seconds) = placed ?? ([], [])
        self.shards = shards
        self.seconds = seconds
        let lines = zip(items, shards).map { "\($1)/\(count) \($0.name)\n" }
        digest = Digest.sha256Hex(Array(lines.sorted().joined().utf8))
    }

    /// nil if a cell fits into no shard within the limit, in seconds.
    private static func place(
        _ items: [ExpectedCell], _ order: [Int], _ count: Int, limit: Double
    ) -> (shards: [Int], seconds: [Double])? {
        let limit = max(limit, items.map(\.seconds).max() ?? 0)
        var (shards, seconds) = ([Int](repeating: 0, count: items.count), [Double](repeating: 0, count: count))
        for index in order {
            let item = items[index]
            let shard =
                sequence(of: item.name, count).first { seconds[$0] + item.seconds <= limit }
                ?? seconds.indices.min { seconds[$0] < seconds[$1] }
            guard let shard, seconds[shard] + item.seconds <= limit else { return nil }
            seconds[shard] += item.seconds
            shards[index] = shard + 1
        }
        return (shards, seconds)
    }

    /// The shards that a cell tries, in order.
    private static func sequence(of name: String, _ count: Int) -> some Sequence<Int> {
        (0..<(16 + 4 * min(count, 64))).lazy.map { Int(random.streamKey("\($0) \(name)") % UInt64(count)) }
    }

    /// Never change this seed: different machines divide the parts of one run.
    private static let random = KeyedRandom(seed: 1)
}
