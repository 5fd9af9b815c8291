import FoundationEssentials
import Results
import SystemPackage

/// Results of parts of a run, put together into one.
package struct ResultMerge: Sendable {
    /// A cell that is taken, and the number of the shard that it is taken from.
    struct Taken {
        var cell: MergedCell
        var shard: Int
    }

    /// How much of a result the reports that are made of all cells have.
    package struct Limits: Sendable {
        /// Up to so many bytes, which are as many as are read of a result, they have all cells.
        package var bytes = RunResult.mostFileBytes
        /// Else they have so many of the worst, of so many bytes.
        package var keptCells = 1000
        package var keptBytes = 128 << 20

        package init() {}
    }

    let shards: [Shard]
    let taken: [Taken]
    /// How many shards there are to be; nil where it was not said.
    let required: Int?
    /// What the whole is a part of; nil where it is none.
    let place: ShardNumber?
    package var limits = Limits()

    /// Throws ``MergeError`` where a cell is there twice and differs, there are more shards than there are to be, or they are of
    /// runs that were divided differently.
    ///
    /// `required` is how many there are to be; nil, the default: as many as the shards themselves say.
    package init(_ shards: [Shard], required: Int? = nil) throws {
        let places = shards.compactMap(\.run.shard)
        let isDivided = !shards.isEmpty && places.count == shards.count
        if isDivided, let other = places.firstIndex(where: { $0.division != places[0].division }) {
            throw MergeError.otherDivision(shards[0].folder, shards[other].folder)
        }
        let required = required ?? (isDivided ? places[0].count : nil)
        if let required, shards.count > required { throw MergeError.tooMany(shards.count, required: required) }
        var earlierCells: [String: Int] = [:]
        // Of each cell whose attempts are divided, by its place among those that are taken.
        var parts: [Int: [MergedCell.Part]] = [:]
        var taken: [Taken] = []
        for (index, shard) in shards.enumerated() {
            for cell in shard.cells {
                let name = cell.summary.name
                guard let earlier = earlierCells[name] else {
                    earlierCells[name] = taken.count
                    if cell.share != nil { parts[taken.count] = [.init(cell: cell, shard: index)] }
                    taken.append(Taken(cell: cell, shard: index))
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
        // As in a run that was not divided.
        self.taken = isDivided ? taken.sorted { ($0.cell.place ?? 0) < ($1.cell.place ?? 0) } : taken
        self.required = required
    }

    /// The sittings of one run, the first one first: the last result of each cell counts, in the order of the names.
    init(sittings: [Shard], order: [String]) {
        var last: [String: Taken] = [:]
        for (index, sitting) in sittings.enumerated() {
            for cell in sitting.cells { last[cell.summary.name] = Taken(cell: cell, shard: index) }
        }
        (shards, required, place) = (sittings, nil, sittings.first?.run.shard)
        taken = order.compactMap { last[$0] }
    }

    /// That shards are missing of those that there are to be; nil where none is known to be.
    private var shortfall: Finding? {
        // One that was brought twice stands for no other.
        let arrived = Set(shards.map(\.identity)).count
        guard let required, arrived < required else { return nil }
        func list(_ names: [String]) -> String {
            names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
        }
        let there = Set(shards.compactMap(\.run.shard?.index))
        guard there.isEmpty else {
            let missing = (1...required).filter { !there.contains($0) }.map { "\($0)/\(required)" }
            return Finding(.unfinished, "\(arrived) of \(required) shards are there, without \(list(missing))")
        }
        return Finding(.unfinished, "\(arrived) of \(required) results are there: \(list(shards.map(\.name)))")
    }

    /// Cells that no shard has a verdict for, in the order of the shards.
    var unfinished: [String] {
        var known = Set(taken.map(\.cell.summary.name) + taken.map(\.cell.summary.scenario))
        return shards.flatMap { $0.run.unfinishedCells ?? [] }.filter { known.insert($0).inserted }
    }

    /// Notes on the shards for the person who merges them: what is missing, and where they were run on unlike
    /// machines, or by unlike versions.
    package var remarks: [String] {
        var remarks: [String] = []
        if let shortfall { remarks.append("Results are missing: \(shortfall.detail).") }
        if !unfinished.isEmpty {
            let names = unfinished.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
            let more = unfinished.count > 3 ? " and \(unfinished.count - 3) more" : ""
            remarks.append(
                "Cells are missing: the results planned \(names)\(more), but none of them has a verdict on these.")
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

    /// The whole result, of the cells as they are in its folder.
    ///
    /// `left` are the cells besides. `ending` is why it ended early, or is not whole; nil where that is to be seen from the shards.
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

    /// The cells that are taken from each shard.
    var cellsByShard: [[MergedCell]] {
        var cells = [[MergedCell]](repeating: [], count: shards.count)
        for one in taken {
            for part in one.cell.parts(in: one.shard) { cells[part.shard].append(part.cell) }
        }
        return cells
    }

    /// What was found about the shards as a whole.
    ///
    /// That one lacks cells is said anew of all of them: others may have these.
    private var findings: [Finding] {
        let missing = Set(unfinished)
        return shards.flatMap { shard -> [Finding] in
            let lacks = shard.run.unfinishedCells ?? []
            let isMadeUp = !lacks.isEmpty && missing.isDisjoint(with: lacks)
            let isEmpty = shard.run.plannedCells == 0
            return shard.run.findings.filter { finding in
                switch finding.attribution {
                case .unfinished: lacks.isEmpty
                case .interrupted, .terminated, .deadlineReached: !isMadeUp
                case .nothingChecked: !isEmpty
                default: true
                }
            }.map { Finding($0.attribution, "\(shard.name): \($0.detail)", attempt: $0.attempt) }
        }
    }

    /// From the first one's start to the last one's end; where that cannot be told, all of them together.
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
        [system, kernel, architecture, "\(processors) \(processors == 1 ? "processor" : "processors")"]
            .compactMap { $0 }.joined(separator: ", ")
    }
}
