import Results

/// A bug in words: what it is, what happened, where it is seen, and what a good client does.
struct BugText {
    var title: String
    var lines: [String]

    init(_ diagnosis: BugDiagnosis, others: Int) {
        let row = diagnosis.bug.row
        let more = others > 0 ? ", and \(others) more" : ""
        title = "\(diagnosis.bug.rawValue) (attempt \(diagnosis.attempt)\(more)): \(row.sentence)"
        lines = [diagnosis.detail.withoutFullStop + "."]
        if let place = diagnosis.place { lines.append("seen \(place)") }
        lines.append("a good client: \(row.advice) (\(row.source))")
    }
}
