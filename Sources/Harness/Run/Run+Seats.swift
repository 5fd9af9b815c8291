import LinuxSupport
import Results
import Scenarios
import Witness

extension Run {
    /// The pace of a run in which `most` attempts may go on at once; `areShort`: each takes less than a second, as a rule.
    func pace(most: Int, areShort: Bool = false) -> Pace {
        guard jobs == nil else { return .fixed(most) }
        return .adaptive(processors: Self.usableProcessors, most: most, areShort: areShort)
    }

    /// The most attempts that may go on at once, whatever they are of.
    var mostAttempts: Int { jobs ?? Pace.most(processors: Self.usableProcessors) }

    /// How many attempts of these cells may go on at once, and whose machine has what they take.
    ///
    /// Throws ``ResourceShortage`` where there is not even enough for all cells that run at once, or for one where their number
    /// is Headwind's to choose.
    func mostSeats(for cells: [Cell]) throws(ResourceShortage) -> Int {
        let wanted = mostAttempts
        let least = jobs.map { min($0 + mostIdle, max(1, cells.count)) } ?? 1
        let most = max(least, min(wanted + mostIdle, Self.sideBySide(cells)))
        var together = most
        while true {
            do {
                try checkNeeds(of: cells, together: together)
                return together == most ? wanted : max(1, together - mostIdle)
            } catch {
                guard together > least else { throw error }
                together = max(least, together / 2)
            }
        }
    }

    /// What fingerprints say of it.
    func jobsFact(_ cells: [Cell]) -> Fingerprint.Jobs {
        if Self.sideBySide(cells) == 1 { return .atMost(1) }
        return jobs.map { .atMost($0) } ?? .auto
    }

    /// The order in which cells begin: the longest ones first, for those that begin last decide how long all take.
    ///
    /// A check, which tells of all at its end, begins with those in which a client may wait for ever. A run is to tell of one
    /// soon: the first is one that needs no measured link.
    func order(of cells: [Cell], _ contents: ContentStore) throws -> [Int] {
        guard mostIdle == 0 else {
            return cells.indices.filter { cells[$0].mayNeverEnd } + cells.indices.filter { !cells[$0].mayNeverEnd }
        }
        let times = try cells.map { $0.expectedTime(try contents.prepare($0)) }
        let first = cells.firstIndex(where: \.isOfflineAtFirst)
        let others = cells.indices.filter { $0 != first }.sorted { (times[$1], $0) < (times[$0], $1) }
        return (first.map { [$0] } ?? []) + others
    }

    /// How many attempts could go on at once, if there were places for all.
    private static func sideBySide(_ cells: [Cell]) -> Int {
        max(1, cells.map { RoomForMore.isPossible(for: $0) ? $0.attempts.min : 1 }.reduce(0, +))
    }

    /// The processors that a run may keep busy, rounded up.
    private static let usableProcessors: Int = {
        let host = HostFacts.ofThisMachine()
        let limit = host.processorLimit.map { Int($0.rounded(.up)) } ?? host.processors
        return max(1, min(host.processors, limit))
    }()
}
