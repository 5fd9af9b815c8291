import Results
import Wording

extension RunResult {
    /// The backends of the links and why they were chosen, one text for each choice: `9 links by packet: auto, …`.
    var linkTexts: [String] {
        // A cell without attempts had no link.
        let own = cells.filter { !$0.attempts.isEmpty }.map { (text: $0.link.choiceText, count: 1) }
        let others = (left?.links ?? [:]).map { (text: $0.key.choiceText, count: $0.value) }
        return (own + others.sorted { $0.text < $1.text }).grouped { $0.text }.map { group in
            "\(group.reduce(0) { $0 + $1.count }.counted("link")) \(group[0].text)"
        }
    }

    /// A sentence that cells are left out, how many, and where they are; nil if none is.
    var leftText: String? {
        guard let left else { return nil }
        let bad = left.count { $0.verdict != .pass }
        return
            "\(left.count) more \(left.count == 1 ? "cell is" : "cells are") left out, and \(bad) of them did not pass; all are in result.json"
    }

    /// The names of the merged results: their folders, with a number if two folders have one name.
    var shardNames: [String] {
        let folders = (shards ?? []).map(\.folder)
        let counts = folders.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return folders.enumerated().map { index, folder in
            let isAlone = counts[folder] == 1
            return isAlone ? folder : "\(folder) (\(index + 1) of \(folders.count))"
        }
    }

    /// The names of the cells of each merged result; empty for the result of one run.
    var cellsOfShards: [[String]] { (shards ?? []).map(\.cells) }

    /// The merged result that each cell is from, by the cell's name: `from the results in shard-2, on n1; run again:
    /// the node n2 failed`.
    var originTexts: [String: String] {
        var texts: [String: String] = [:]
        for (name, shard) in zip(shardNames, shards ?? []) {
            let machine = shard.machine.map { ", on \($0)" } ?? ""
            let lost = (shard.lost ?? []).map { "; run again: \($0)" }.joined()
            for cell in shard.cells {
                // A cell with attempts on several machines names all of them.
                let earlier = texts[cell].map { $0 + "; and " } ?? ""
                texts[cell] = "\(earlier)from the results in \(name)\(machine)\(lost)"
            }
        }
        return texts
    }
}

extension LinkFacts {
    /// `by packet (fidelity: packet), auto: the first that works here`.
    fileprivate var choiceText: String {
        let why = reason.map { $0.withoutFullStop } ?? (fidelityAsked == nil ? nil : "as the scenario asks")
        // A modelled link must not be mistaken for one of packets.
        let isModelled = fidelity == "modelled" && fidelityAsked == nil
        let warning = isModelled ? "; times are not comparable with those over packets" : ""
        return "by \(backend) (fidelity: \(fidelity))" + (why.map { ", \($0)" } ?? "") + warning
    }
}

extension RunResult {
    /// The command that runs one of its cells again and keeps the results.
    ///
    /// Nil if the run kept its results, and for a merged result.
    func command(asking cell: CellResult) -> String? {
        guard shards == nil, commandLine.count >= 2, commandLine[1] == "run",
            !commandLine.contains(where: { $0.hasPrefix("--output") || $0.hasPrefix("-o") })
        else { return nil }
        return (commandLine + ["--only", cell.scenario, "--output", "results"]).map(\.shellQuoted).joined(
            separator: " ")
    }
}

extension CellResult {
    /// The command that replays a failure from a copy of the results, on any machine; nil if there is no bundle.
    var replayElsewhere: String? { bundle.map { "headwind replay --trust \($0.shellQuoted)" } }

    /// The measured time nearest to its limit: `longest_stall 19.6 s of 22.9 s`; nil if no measured time has a limit.
    var nearestLimit: String? {
        let times = checks.compactMap { check -> (metric: Metric, measured: Double, limit: Double)? in
            guard check.kind == .budget, check.asked.contains("<"), let evidence = check.evidence,
                evidence.unit == .seconds, let measured = evidence.measured, let limit = evidence.limit, limit > 0
            else { return nil }
            return (evidence.metric, measured, limit)
        }
        guard let nearest = times.max(by: { $0.measured / $0.limit < $1.measured / $1.limit }) else { return nil }
        let (was, most) = Quantity.pair(
            Quantity(nearest.measured, .seconds), limit: Quantity(nearest.limit, .seconds))
        return "\(nearest.metric.rawValue) \(was) of \(most)"
    }
}

/// The exit status of a process that differs from its run's exit code, and why, in whole sentences.
package struct ProcessStatus: Sendable {
    package var code: Int32
    package var reason: String

    package init(code: Int32, reason: String) {
        self.code = code
        self.reason = reason
    }
}
