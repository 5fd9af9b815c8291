import Results

/// A bug in words: what it is, what happened, and what a good client does.
struct BugText {
    var title: String
    var lines: [String]

    /// nil for a failure that no bug with a name explains.
    init?(_ failure: CellFailure) {
        guard let bug = failure.diagnosis?.bug, let evidence = failure.evidence else { return nil }
        title = "\(bug.rawValue): \(bug.row.sentence)"
        lines = [evidence + ".", "a good client: \(bug.row.advised)"]
    }
}
