package import Results

/// A cell of a result that is put together with others: what is counted of it, while its numbers stay where they are.
package struct MergedCell: Sendable {
    enum Source: Sendable {
        /// In the result's file.
        case file(ResultStream.Place)
        case memory(CellResult)
        /// In several results, which have a share of its attempts each.
        case parts([Part])
    }

    /// A share of a cell's attempts, and the number of the result that has it.
    struct Part: Sendable {
        var cell: MergedCell
        var shard: Int
    }

    /// Files that an attempt may have.
    struct AttemptFiles: Hashable, Sendable {
        var number: Int
        var schedule: String?

        init(_ attempt: AttemptRecord) { (number, schedule) = (attempt.number, attempt.schedule?.file) }
    }

    package let summary: CellSummary
    let place: Int?
    /// The same for cells that are the same, as long as this process runs.
    let digest: Int
    let attempts: [AttemptFiles]
    /// Whether its text in the file is what is written: it names no bundle, whose place changes, and has no secrets.
    let isWrittenAsItIs: Bool
    /// Which of its attempts these are; nil where they are all.
    let share: AttemptShare?
    /// Its name without secrets.
    let cleanName: String
    let source: Source

    /// A cell as it stands in a file.
    init(_ cell: CellResult, at place: ResultStream.Place) {
        let clean = cell.redacted
        self.init(cell, clean, source: .file(place), isWrittenAsItIs: cell.bundle == nil && clean == cell)
    }

    init(_ cell: CellResult) { self.init(cell, cell.redacted, source: .memory(cell), isWrittenAsItIs: false) }

    /// A cell that was pooled of its parts.
    init(_ cell: CellResult, of parts: [Part]) {
        self.init(cell, cell.redacted, source: .parts(parts), isWrittenAsItIs: false)
    }

    private init(_ cell: CellResult, _ clean: CellResult, source: Source, isWrittenAsItIs: Bool) {
        summary = CellSummary(cell)
        (place, share) = (cell.place, cell.share)
        digest = cell.hashValue
        attempts = cell.attempts.map(AttemptFiles.init)
        (self.source, self.isWrittenAsItIs) = (source, isWrittenAsItIs)
        cleanName = clean.name == cell.name ? summary.name : clean.name
    }

    /// The bytes of its text in a file; 0 of what is in memory already.
    var bytes: Int {
        switch source {
        case .file(let place): place.bytes
        case .memory: 0
        case .parts(let parts): parts.map(\.cell.bytes).reduce(0, +)
        }
    }

    /// The parts of which it is pooled; itself, where it is not.
    func parts(in shard: Int) -> [Part] {
        if case .parts(let parts) = source { parts } else { [Part(cell: self, shard: shard)] }
    }

    /// How soon it is wanted in reports that have no room for all: what counts and is worst first.
    var rank: Int {
        if summary.verdict == .pass { return summary.lenientChecks > 0 ? 2 : 3 }
        return summary.decides ? 0 : 1
    }
}
