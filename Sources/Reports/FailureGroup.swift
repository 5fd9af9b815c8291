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
    let members: [Member]

    /// The groups of failed cells, the worst first: by severity, and then by the number of failures.
    static func groups(of cells: [CellResult]) -> [Self] {
        let members = cells.flatMap { cell in
            cell.failures.map { Member(cell: cell, failure: $0, isFirst: false) }
        }
        let ranked = members.grouped(by: \.failure.cause).enumerated().map { place, members in
            (rank: members.compactMap { $0.cell.severity?.rank }.min() ?? Int.max, place: place, members: members)
        }
        let order = ranked.sorted { ($0.rank, -$0.members.count, $0.place) < ($1.rank, -$1.members.count, $1.place) }
        var known: Set<String> = []
        return order.map { _, _, members in
            let marked = members.changingEach { $0.isFirst = known.insert($0.cell.name).inserted }
            return Self(cause: members[0].failure.cause, members: marked)
        }
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

/// A bug as text: what it is, what happened, and what a good client does.
struct BugText {
    var title: String
    var lines: [String]

    /// Nil for a failure that no named bug explains.
    init?(_ failure: CellFailure) {
        guard let bug = failure.diagnosis?.bug, let evidence = failure.evidence else { return nil }
        title = "\(bug.rawValue): \(bug.row.sentence)"
        lines = [evidence + ".", "a good client: \(bug.row.advised)"]
    }
}
