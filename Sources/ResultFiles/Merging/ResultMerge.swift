import FoundationEssentials
import Results
import SystemPackage
import Wording

/// Merges the results of parts of a run into one.
package struct ResultMerge: Sendable {
    /// How much of a result the reports that cover all cells include.
    package struct Limits: Sendable {
        /// Reports include all cells of a result up to this many bytes, the most that is read of one result (256 MiB).
        package var bytes = RunResult.mostFileBytes
        /// The most cells in the reports of a larger result, the worst first.
        package var keptCells = 1000
        /// The most bytes of these cells.
        package var keptBytes = 128 << 20

        package init() {}
    }

    let shards: [Shard]
    /// The cells of the merged result, each with the index of the shard that it is from.
    let taken: [MergedCell.Part]
    /// How many results are required; nil if unknown.
    let required: Int?
    /// The part of a divided run that the whole is; nil if it is none.
    let place: ShardNumber?
    package var limits = Limits()

    /// Merges results; `required` is how many there must be, nil if unknown.
    ///
    /// Shards know how many shards there must be. Throws ``MergeError`` if two results have different cells of one name,
    /// if there are more than required, or if shards are of runs that were divided differently.
    package init(_ shards: [Shard], required: Int? = nil) throws {
        let divided = shards.filter { $0.run.shard != nil }
        if let other = divided.first(where: { $0.run.shard?.division != divided[0].run.shard?.division }) {
            throw MergeError.otherDivision(divided[0].folder, other.folder)
        }
        let arrived = Self.arrived(shards)
        if let required, arrived > required { throw MergeError.tooMany(arrived, required: required) }
        var earlierCells: [String: Int] = [:]
        // The parts of each cell with divided attempts, by the cell's index in `taken`.
        var parts: [Int: [MergedCell.Part]] = [:]
        var taken: [MergedCell.Part] = []
        for (index, shard) in shards.enumerated() {
            for cell in shard.cells {
                let name = cell.summary.name
                guard let earlier = earlierCells[name] else {
                    earlierCells[name] = taken.count
                    if cell.share != nil { parts[taken.count] = [.init(cell: cell, shard: index)] }
                    taken.append(.init(cell: cell, shard: index))
                    continue
                }
                if let share = cell.share, let known = parts[earlier],
                    !known.contains(where: { $0.cell.share?.index == share.index })
                {
                    parts[earlier]?.append(.init(cell: cell, shard: index))
                    continue
                }
                let same = parts[earlier]?.contains { $0.cell.digest == cell.digest }
                guard same ?? (taken[earlier].cell.digest == cell.digest) else {
                    throw MergeError.twice(cell: name, shards[taken[earlier].shard].folder, shard.folder)
                }
            }
        }
        for (index, pooled) in try Self.pooled(parts, of: shards) { taken[index].cell = pooled }
        self.shards = shards
        place = nil
        // In the order of an undivided run.
        if divided.count == shards.count { taken.sort { ($0.cell.place ?? 0) < ($1.cell.place ?? 0) } }
        self.taken = taken
        self.required = required
    }

    /// The sittings of one run, the first one first: the last result of each cell counts, in the given order of names.
    ///
    /// A cell that a later sitting planned again has no result until one finishes it.
    init(sittings: [Shard], order: [String]) {
        var last: [String: MergedCell.Part] = [:]
        for (index, sitting) in sittings.enumerated() {
            let lacks = Set(sitting.run.unfinishedCells ?? [])
            last = last.filter { !lacks.contains($0.key) && !lacks.contains($0.value.cell.summary.scenario) }
            for cell in sitting.cells { last[cell.summary.name] = .init(cell: cell, shard: index) }
        }
        (shards, required, place) = (sittings, nil, sittings.first?.run.shard)
        taken = order.compactMap { last[$0] }
    }

    /// How many results there are: those of one shard, and equal others, count once.
    private static func arrived(_ shards: [Shard]) -> Int {
        let others = shards.filter { $0.run.shard == nil }
        return Set(shards.compactMap(\.run.shard?.index)).count + Set(others.map(\.identity)).count
    }

    /// The finding that shards or required results are missing; nil if none is known to be.
    private var shortfall: Finding? {
        let there = Set(shards.compactMap(\.run.shard?.index))
        if place == nil, let count = shards.lazy.compactMap(\.run.shard?.count).first {
            // The count is from a file, so it may be any number.
            let missing = (1...max(count, 1)).lazy.filter { !there.contains($0) }.prefix(6).map { "\($0)/\(count)" }
            if !missing.isEmpty {
                return Finding(
                    .unfinished, "\(there.count) of \(count) shards are there, without \(Array(missing).listed(5))")
            }
        }
        let arrived = Self.arrived(shards)
        guard let required, arrived < required else { return nil }
        return Finding(.unfinished, "\(arrived) of \(required) results are there: \(shards.map(\.name).listed(5))")
    }

    /// The cells without a verdict in any shard, in the order of the shards.
    var unfinished: [String] {
        var known = Set(taken.map(\.cell.summary.name) + taken.map(\.cell.summary.scenario))
        return shards.flatMap { $0.run.unfinishedCells ?? [] }.filter { known.insert($0).inserted }
    }

    /// Remarks for the person who merges: missing shards or cells, different machines, different versions.
    package var remarks: [String] {
        var remarks: [String] = []
        if let shortfall { remarks.append("Results are missing: \(shortfall.detail).") }
        if !unfinished.isEmpty {
            let names = unfinished.quoted(most: 3)
            remarks.append("Cells are missing: the results planned \(names), but none of them has a verdict on these.")
        }
        let hosts = Set(shards.map(\.run.host))
        if hosts.count > 1 {
            remarks.append(
                "The results are from \(hosts.count) different machines, so do not compare the times of one with those of another: "
                    + shards.map { "\($0.name): \($0.run.host.text)" }.joined(separator: "; ") + ".")
        }
        if Set(shards.map(\.run.toolVersion)).count > 1 {
            remarks.append(
                "The results are from different versions of Headwind: "
                    + shards.map { "\($0.name): \($0.run.toolVersion)" }.joined(separator: "; ") + ".")
        }
        return remarks
    }

    /// The merged result with these cells.
    ///
    /// `left` are the remaining cells. `ending` is why it ended early or is incomplete; nil if the shards show it.
    func result(
        _ cells: [CellResult], left: CellTally? = nil, commandLine: [String], toolVersion: String, ending: Finding?
    ) -> RunResult {
        let seeds = Set(shards.map(\.run.seed))
        let policies = Set(shards.map { $0.run.onInconclusive ?? .fail })
        var run = RunResult(
            toolVersion: toolVersion, commandLine: commandLine,
            seed: seeds.count == 1 ? shards[0].run.seed?.value : nil, host: shards[0].run.host,
            startedAt: shards.map(\.run.startedAt).min() ?? "", durationSeconds: duration,
            cells: cells, left: left, unfinished: unfinished,
            ending: ending,
            findings: [shortfall].compactMap { $0 } + findings,
            onInconclusive: policies.count == 1 ? policies.first ?? .fail : .fail)
        run.shard = place
        let own = cellsByShard
        run.shards = shards.enumerated().map { index, shard in
            var facts = ShardFacts(shard.run, folder: shard.name, cells: own[index].map(\.summary.name))
            (facts.machine, facts.lost) = (shard.machine, shard.lost.isEmpty ? nil : shard.lost)
            return facts
        }
        return run
    }

    /// The cells taken from each shard.
    var cellsByShard: [[MergedCell]] {
        var cells = [[MergedCell]](repeating: [], count: shards.count)
        for one in taken {
            for part in one.parts { cells[part.shard].append(part.cell) }
        }
        return cells
    }

    /// The findings of the shards.
    ///
    /// Missing cells are reported once for all shards together, because another shard may have them.
    private var findings: [Finding] {
        let missing = Set(unfinished)
        return shards.flatMap { shard -> [Finding] in
            let lacks = shard.run.unfinishedCells ?? []
            let isMadeUp = !lacks.isEmpty && missing.isDisjoint(with: lacks)
            let isEmpty = shard.run.plannedCells == 0
            return shard.run.findings.filter { finding in
                switch finding.attribution {
                case .unfinished: lacks.isEmpty
                case .interrupted, .terminated: !isMadeUp && !shard.wasStopped
                // These end a run before its last cell.
                case .deadlineReached, .scratchDiskFull, .capabilityMissing: !isMadeUp
                case .nothingChecked: !isEmpty
                default: true
                }
            }.map { Finding($0.attribution, "\(shard.name): \($0.detail)", attempt: $0.attempt) }
        }
    }

    /// Seconds from the first start to the last end; if a start is unreadable, the sum of all durations.
    private var duration: Double {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let spans = shards.compactMap { shard -> (Date, Date)? in
            let text = shard.run.startedAt
            guard let start = (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text)) else {
                return nil
            }
            return (start, start.addingTimeInterval(shard.run.durationSeconds))
        }
        guard spans.count == shards.count, let first = spans.map(\.0).min(), let last = spans.map(\.1).max() else {
            return shards.map(\.run.durationSeconds).reduce(0, +)
        }
        return last.timeIntervalSince(first)
    }
}

extension HostFacts {
    /// `Debian GNU/Linux 12, 6.18.44, x86_64, 2 processors`.
    fileprivate var text: String {
        [system, kernel, architecture, processors.counted("processor")]
            .compactMap { $0 }.joined(separator: ", ")
    }
}
