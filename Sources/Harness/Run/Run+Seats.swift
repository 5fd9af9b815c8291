import LinuxSupport
import Results
import Scenarios

extension Run {
    /// The pace of a run with at most `most` attempts at once; `areShort`: each usually takes less than a second.
    func pace(most: Int, areShort: Bool = false) -> Pace {
        guard jobs == nil else { return .fixed(most) }
        return .adaptive(processors: Self.usableProcessors, most: most, areShort: areShort)
    }

    /// The maximum of attempts at once, of all cells together.
    var mostAttempts: Int { jobs ?? Pace.most(processors: Self.usableProcessors) }

    /// How many attempts of these cells may run at once with the resources of this machine.
    ///
    /// Throws ``ResourceShortage`` if they do not suffice for ``jobs`` cells at once, or for one attempt if Headwind
    /// chooses the number.
    func mostSeats(for cells: [Cell]) throws(ResourceShortage) -> Int {
        let wanted = mostAttempts
        let least = jobs.map { min($0 + mostIdle, max(1, cells.count)) } ?? 1
        let most = max(least, min(wanted + mostIdle, Self.sideBySide(cells)))
        let together = try atOnce(cells, least: least, most: most)
        return together == most ? wanted : max(1, together - mostIdle)
    }

    /// How many of the cells or attempts may run at once: `most`, halved down to `least` while resources lack.
    func atOnce(_ cells: [Cell], least: Int, most: Int) throws(ResourceShortage) -> Int {
        var together = most
        while true {
            do {
                try checkNeeds(of: cells, together: together)
                return together
            } catch {
                guard together > least else { throw error }
                together = max(least, together / 2)
            }
        }
    }

    /// Checks before the start that the resources suffice for `together` cells or attempts at once.
    ///
    /// Throws ``ResourceShortage``.
    private func checkNeeds(of cells: [Cell], together: Int) throws(ResourceShortage) {
        let needsPackets = cells.contains { $0.link.fidelity == .packet }
        let hasCells = needsPackets || backend != .proxy && cells.contains { $0.link.fidelity == .any }
        let hint = together > 1 ? "give --jobs 1" : hasCells && !needsPackets ? "give --backend proxy" : nil
        try ResourceNeeds.run(jobs: together, hasCells: hasCells).check(
            for: together == 1 ? "This run" : "This run with \(together) cells at once", hint: hint)
    }

    /// The number of attempts at once, for fingerprints.
    func jobsFact(_ cells: [Cell]) -> Fingerprint.Jobs {
        if Self.sideBySide(cells) == 1 { return .atMost(1) }
        return jobs.map { .atMost($0) } ?? .auto
    }

    /// The order in which cells begin: the longest first, as the last ones decide how long all take.
    ///
    /// A check reports all cells at its end, and begins with those in which a client may wait forever. A run should
    /// report one cell soon, so it begins with one that needs no measurement of its link.
    func order(of cells: [Cell], _ contents: ContentStore) throws -> [Int] {
        guard mostIdle == 0 else {
            return cells.indices.filter { cells[$0].mayNeverEnd } + cells.indices.filter { !cells[$0].mayNeverEnd }
        }
        let times = try cells.map { $0.expectedTime(try contents.prepare($0)) }
        let first = cells.firstIndex(where: \.isOfflineAtFirst)
        let others = cells.indices.filter { $0 != first }.sorted { (times[$1], $0) < (times[$0], $1) }
        return (first.map { [$0] } ?? []) + others
    }

    /// How many attempts could run at once, if there were places for all.
    private static func sideBySide(_ cells: [Cell]) -> Int {
        max(1, cells.map { ScratchRoom.allowsSeveral(of: $0) ? $0.attempts.min : 1 }.reduce(0, +))
    }

    /// The number of processors that a run may use, rounded up.
    private static let usableProcessors: Int = {
        let host = HostFacts.ofThisMachine
        let limit = host.processorLimit.map { Int($0.rounded(.up)) } ?? host.processors
        return max(1, min(host.processors, limit))
    }()
}
