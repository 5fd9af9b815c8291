import Results

/// The failures of all cells that have one cause.
struct FailureGroup {
    struct Member {
        var cell: CellResult
        var failure: CellFailure
        /// Whether no earlier group has the cell: only this group shows its details.
        var isFirst: Bool
    }

    let cause: CellFailure.Cause
    var members: [Member] = []

    /// The groups of failed cells, the worst first: by severity, and then by the number of failures.
    static func groups(of cells: [CellResult]) -> [Self] {
        var groups: [Self] = []
        var ranks: [CellFailure.Cause: Int] = [:]
        for cell in cells {
            for failure in cell.failures {
                if ranks[failure.cause] == nil { groups.append(Self(cause: failure.cause)) }
                ranks[failure.cause] = min(ranks[failure.cause] ?? .max, cell.severity.map(\.rank) ?? .max)
                guard let index = groups.firstIndex(where: { $0.cause == failure.cause }) else { continue }
                groups[index].members.append(Member(cell: cell, failure: failure, isFirst: false))
            }
        }
        let order = groups.enumerated().sorted { one, other in
            let (left, right) = (ranks[one.element.cause] ?? .max, ranks[other.element.cause] ?? .max)
            return (left, -one.element.members.count, one.offset) < (right, -other.element.members.count, other.offset)
        }
        groups = order.map(\.element)
        var known: Set<String> = []
        for group in groups.indices {
            for member in groups[group].members.indices {
                groups[group].members[member].isFirst = known.insert(groups[group].members[member].cell.name).inserted
            }
        }
        return groups
    }

    /// What a good client does, with its source; empty if there is no general advice.
    var advice: [String] {
        if case .bug(let bug) = cause { return [bug.row.advised] }
        return Array((members.first?.cell.advice ?? []).prefix(CellResult.shownAdvice))
    }
}

extension CellFailure {
    /// The evidence of the bug, with place and time: `try 1 for 'a' ended at byte 4 (attempt 1, and 1 more; 9.5 s after
    /// the client's start)`.
    var evidence: String? {
        guard let diagnosis else { return nil }
        let more = attempts > 1 ? ", and \(attempts - 1) more" : ""
        let place = ["attempt \(diagnosis.attempt)\(more)", diagnosis.moment].compactMap { $0 }.joined(separator: "; ")
        return "\(diagnosis.detail.withoutFullStop) (\(place))"
    }
}
