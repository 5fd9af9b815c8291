import Wording

/// A job array: some shards of a submission, whose numbers in the array begin anew where a site allows no larger ones.
struct SlurmArray: Hashable, Sendable {
    /// What is added to a number in the array to get the shard's.
    var offset: Int
    /// Numbers in the array, from 1, in their order.
    var tasks: [Int]

    /// The arrays of shards, where the site's `MaxArraySize` is `size`: numbers in an array are less.
    static func arrays(of shards: [Int], size: Int) -> [SlurmArray] {
        let most = max(1, size - 1)
        let groups = Dictionary(grouping: shards.sorted()) { ($0 - 1) / most * most }
        return groups.sorted { $0.key < $1.key }.map { offset, shards in
            SlurmArray(offset: offset, tasks: shards.map { $0 - offset })
        }
    }

    /// As sbatch takes them: `1-3,7`, with `%4` behind them where 4 run at once at most.
    func text(atOnce: Int?) -> String {
        var ranges: [ClosedRange<Int>] = []
        for task in tasks {
            if let last = ranges.last, last.upperBound + 1 == task {
                ranges[ranges.count - 1] = last.lowerBound...task
            } else {
                ranges.append(task...task)
            }
        }
        let list = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        return list.joined(separator: ",") + (atOnce.map { "%\($0)" } ?? "")
    }
}

/// A job array that Slurm has: `17`, `17;north` on a cluster of several, `17@1000` with an offset.
struct SlurmJob: Hashable, Sendable, CustomStringConvertible {
    var id: Int
    var cluster: String?
    var offset: Int

    /// Reads what ``description`` gives, which is also what `sbatch --parsable` prints.
    init?(_ text: some StringProtocol, offset: Int? = nil) {
        let places = text.split(separator: "@", omittingEmptySubsequences: false)
        let parts = places[0].split(separator: ";", omittingEmptySubsequences: false)
        guard places.count <= 2, parts.count <= 2, let id = Int(parts[0]), id > 0 else { return nil }
        if parts.count == 2 {
            guard parts[1].first?.isLetter == true, parts[1].allSatisfy(\.isClusterCharacter) else { return nil }
            cluster = String(parts[1])
        }
        guard let own = places.count == 2 ? Int(places[1]) : 0, own >= 0 else { return nil }
        (self.id, self.offset) = (id, offset ?? own)
    }

    var description: String { "\(id)" + (cluster.map { ";\($0)" } ?? "") + (offset > 0 ? "@\(offset)" : "") }
}

extension Character {
    fileprivate var isClusterCharacter: Bool { isASCII && (isLetter || isNumber || "-_.".contains(self)) }
}
