import Wording

/// A job array with some shards of a submission; its numbers start again at 1 where a site allows no larger ones.
struct SlurmArray: Hashable, Sendable {
    /// The difference between a shard's number and its number in the array.
    var offset: Int
    /// The numbers in the array, from 1, in order.
    var tasks: [Int]

    /// Divides shards into arrays; `size` is the site's `MaxArraySize`, which exceeds every number in an array.
    static func arrays(of shards: [Int], size: Int) -> [SlurmArray] {
        let most = max(1, size - 1)
        let groups = Dictionary(grouping: shards.sorted()) { ($0 - 1) / most * most }
        return groups.sorted { $0.key < $1.key }.map { offset, shards in
            SlurmArray(offset: offset, tasks: shards.map { $0 - offset })
        }
    }

    /// The numbers in sbatch's notation: `1-3,7`, followed by `%4` if at most 4 run at once.
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

/// The ID of a job array in Slurm: `17`, `17;north` in one of several clusters, `17@1000` with an offset.
struct SlurmJob: Hashable, Sendable, CustomStringConvertible {
    var id: Int
    var cluster: String?
    var offset: Int

    /// Reads a ``description``, or the output of `sbatch --parsable`; nil for any other text.
    init?(_ text: some StringProtocol, offset: Int? = nil) {
        let places = text.split(separator: "@", omittingEmptySubsequences: false)
        let parts = places[0].split(separator: ";", omittingEmptySubsequences: false)
        guard places.count <= 2, parts.count <= 2, let id = Int(parts[0]), id > 0 else { return nil }
        if parts.count == 2 {
            guard parts[1].first?.isLetter == true, parts[1].allSatisfy({ $0.isPlain(or: "-_.") }) else { return nil }
            cluster = String(parts[1])
        }
        guard let own = places.count == 2 ? Int(places[1]) : 0, own >= 0 else { return nil }
        (self.id, self.offset) = (id, offset ?? own)
    }

    var description: String { "\(id)" + (cluster.map { ";\($0)" } ?? "") + (offset > 0 ? "@\(offset)" : "") }
}
