import Documents
package import LinkModel
import Results

extension Cell {
    /// The cell with these faults instead of those of its own schedule; the scenario's `faults` stay.
    ///
    /// A line that changes the link's profile is kept only if the cell's own schedule has it: only files contain
    /// profiles.
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

    /// The cell with one attempt, and only with budgets on counts and bytes: times say little when everything goes
    /// wrong.
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

    /// The cell with another title, and exactly this number of attempts.
    package func titled(_ title: String, attempts count: Int) -> Cell {
        var cell = self
        (cell.title, cell.attempts) = (title, Attempts(min: count, max: count))
        cell.source = source?.replacing(["scenario": .made(title), "attempts": count == 1 ? nil : .made("\(count)")])
        return cell
    }

    /// The cell whose client may deliver the pack or report an error; wrong bytes still fail it, and so does what no
    /// fault excuses.
    package var expectingEither: Cell {
        var cell = self
        cell.expectations.requests = [RequestExpectation(.either())]
        cell.expectations.conduct = expectations.conduct.filter { $0.word.holdsUnderAnyFault }
        cell.expectations.files = []
        cell.budgets = []
        let kept = cell.expectations.conduct.map { ($0.word.rawValue, $0.node) as (String, YAMLNode?) }
        let outcomes: [(String, YAMLNode?)] =
            workload.isBuiltIn ? workload.namesOfBegun.map { ($0, .made("either")) } : [("exit", .made("any"))]
        let either = kept.isEmpty ? YAMLNode.made("either") : .made(outcomes + kept)
        cell.source = source?.replacing(["expect": either, "budgets": nil])
        return cell
    }
}

extension ConductExpectation.Word {
    /// Whether a client meets it however many faults there are, also if it reports an error.
    fileprivate var holdsUnderAnyFault: Bool {
        switch self {
        case .callback, .ends, .afterCancel, .oracle, .keeps: true
        case .notification, .stored, .purged, .kept, .refetched, .retries, .backOff, .order, .output, .leftovers: false
        }
    }
}

extension ConductExpectation {
    /// Its value in a scenario.
    fileprivate var node: YAMLNode {
        if case .keeps(let kinds) = self { return .made(.list(kinds.map { .made($0.rawValue) })) }
        return .made(description)
    }
}

extension YAMLNode {
    /// The mapping with the values of some keys replaced; nil removes a key.
    fileprivate func replacing(_ values: [String: YAMLNode?]) -> YAMLNode {
        guard case .mapping(let entries) = content else { return self }
        let kept = entries.filter { values[$0.key] == nil }
        let added = values.sorted { $0.key < $1.key }.compactMap { key, value in
            value.map { Entry(key: key, keyMark: mark, value: $0) }
        }
        return YAMLNode(mark: mark, content: .mapping(kept + added))
    }
}
