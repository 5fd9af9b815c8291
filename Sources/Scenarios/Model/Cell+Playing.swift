import Documents
package import LinkModel
import Results

extension Cell {
    /// The cell with these faults in the place of those of its own schedule; its scenario's `faults` stay.
    ///
    /// Lines that change the link to another profile are those of its own schedule, or left out: only files know profiles.
    package func playing(_ faults: FaultSchedule) -> Cell {
        var cell = self
        let own = cell.schedule?.linkChanges.map(\.change) ?? []
        let known = Dictionary(zip(own, cell.linkFaults.suffix(own.count))) { first, _ in first }
        cell.linkFaults.removeLast(min(own.count, cell.linkFaults.count))
        cell.schedule = Schedule(faults, file: "schedule", marks: faults.lines.map { _ in .start })
        cell.linkFaults += faults.lines.compactMap { line in
            if case .link(let change) = line { known[change] ?? LinkFault(change) } else { nil }
        }
        return cell
    }

    /// The cell with one attempt, and budgets on counts and bytes alone: times say little where everything goes wrong.
    package var countingOnly: Cell {
        var cell = self
        cell.attempts = Attempts(min: 1, max: 1)
        let kept = budgets.filter { [.count, .bytes].contains($0.budget.metric.definition.unit) }
        cell.budgets = kept
        cell.source = source?.replacing([
            "attempts": nil,
            "budgets": kept.isEmpty
                ? nil : .made(kept.map { ($0.budget.key, YAMLNode.made("\($0.budget)")) as (String, YAMLNode?) }),
        ])
        return cell
    }

    /// The cell under another title, which is made so many times.
    package func titled(_ title: String, attempts count: Int) -> Cell {
        var cell = self
        (cell.title, cell.attempts) = (title, Attempts(min: count, max: count))
        cell.source = source?.replacing([
            "scenario": .made(title), "attempts": count == 1 ? nil : .made("\(count)"),
        ])
        return cell
    }

    /// The cell where the client may have the pack or report an error, which it must not do wrong either way; an oracle stays.
    package var expectingEither: Cell {
        var cell = self
        cell.expectations.requests = [RequestExpectation(.either())]
        cell.expectations.conduct = expectations.conduct.filter { $0.word == .oracle }
        cell.budgets = []
        let kept = cell.expectations.conduct.map { ($0.word.rawValue, YAMLNode.made($0.description)) }
        let either = kept.isEmpty ? YAMLNode.made("either") : .made([("exit", .made("any"))] + kept)
        cell.source = source?.replacing(["expect": either, "budgets": nil])
        return cell
    }
}

extension YAMLNode {
    /// The mapping with other values behind keys; nil takes a key away.
    fileprivate func replacing(_ values: [String: YAMLNode?]) -> YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        let kept = entries.filter { values[$0.key] == nil }
        let added = values.sorted { $0.key < $1.key }.compactMap { key, value in
            value.map { Entry(key: key, keyMark: mark, value: $0) }
        }
        return YAMLNode(mark: mark, content: .mapping(kept + added))
    }
}
