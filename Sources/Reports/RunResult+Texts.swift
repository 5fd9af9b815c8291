import Results

extension RunResult {
    /// What put the links there, and why, one text for each that differs: `9 links by packet: auto, …`.
    var linkTexts: [String] {
        var order: [String] = []
        var counts: [String: Int] = [:]
        // A cell without an attempt had no link.
        for text in cells.filter({ !$0.attempts.isEmpty }).map(\.link.choiceText) {
            if counts[text] == nil { order.append(text) }
            counts[text, default: 0] += 1
        }
        let others = (left?.links ?? [:]).map { ($0.key.choiceText, $0.value) }
        for (text, count) in others.sorted(by: { $0.0 < $1.0 }) {
            if counts[text] == nil { order.append(text) }
            counts[text, default: 0] += count
        }
        return order.map { text in
            let count = counts[text, default: 0]
            return "\(count) \(count == 1 ? "link" : "links") \(text)"
        }
    }

    /// That cells are left out, how many, and where they are; nil where none is.
    var leftText: String? {
        guard let left else { return nil }
        let bad = left.count { $0.verdict != .pass }
        return
            "\(left.count) more \(left.count == 1 ? "cell is" : "cells are") left out, and \(bad) of them did not pass; all are in result.json"
    }

    /// How many cells that count are left out of a state.
    func leftCount(_ state: PageState) -> Int { left?.count { $0.decides && PageState($0.verdict) == state } ?? 0 }

    /// What the results are called that were put together here: their folders, with a number where two are called alike.
    var shardNames: [String] {
        let folders = (shards ?? []).map(\.folder)
        let counts = folders.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return folders.enumerated().map { index, folder in
            let isAlone = counts[folder] == 1
            return isAlone ? folder : "\(folder) (\(index + 1) of \(folders.count))"
        }
    }

    /// The names of the cells that are from each of them; empty for one run's result.
    var cellsOfShards: [[String]] { (shards ?? []).map(\.cells) }

    /// From which of them a cell is, by the cell's name: `from the results in shard-2, on n1; run again: the node n2 failed`.
    var originTexts: [String: String] {
        var texts: [String: String] = [:]
        for (name, shard) in zip(shardNames, shards ?? []) {
            let machine = shard.machine.map { ", on \($0)" } ?? ""
            let lost = (shard.lost ?? []).map { "; run again: \($0)" }.joined()
            for cell in shard.cells {
                // Of one whose attempts were made on several machines all are told.
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
        // What is swapped for packets must not be taken for them.
        let isModelled = fidelity == "modelled" && fidelityAsked == nil
        let warning = isModelled ? "; times are not comparable with those over packets" : ""
        return "by \(backend) (fidelity: \(fidelity))" + (why.map { ", \($0)" } ?? "") + warning
    }
}

extension RunResult {
    /// What runs one of its cells again, and keeps what happened; nil where that was kept, and for what several runs are put together to.
    func command(asking cell: CellResult) -> String? {
        guard shards == nil, commandLine.count >= 2, commandLine[1] == "run",
            !commandLine.contains(where: { $0.hasPrefix("--output") || $0.hasPrefix("-o") })
        else { return nil }
        return (commandLine + ["--only", cell.scenario, "--output", "results"]).map(\.shellQuoted).joined(
            separator: " ")
    }
}
