import Results

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
