package import Results

/// A cell of a merged result: a summary in memory, with its measurements left in the file.
package struct MergedCell: Sendable {
    enum Source: Sendable {
        /// In the result's file.
        case file(ResultStream.Place)
        case memory(CellResult)
        /// In several results that each have a share of its attempts.
        case parts([Part])
    }

    /// A cell or a share of its attempts, and the number of the result that has it.
    struct Part: Sendable {
        var cell: MergedCell
        var shard: Int

        /// The parts that it was pooled from; otherwise itself.
        var parts: [Part] { if case .parts(let parts) = cell.source { parts } else { [self] } }
    }

    package let summary: CellSummary
    let place: Int?
    /// Equal for equal cells, within this process.
    let digest: Int
    /// The attempts that may have files, each with its schedule's file.
    let attempts: [(number: Int, schedule: String?)]
    /// Whether its text in the file is written unchanged: it names no bundle, whose path changes, and has no secrets.
    let isWrittenAsItIs: Bool
    /// Which of its attempts it has; nil: all.
    let share: AttemptShare?
    /// Its name without secrets.
    let cleanName: String
    let source: Source

    /// A summary of a cell; by default the cell stays in memory.
    init(_ cell: CellResult, _ source: Source? = nil) {
        let clean = cell.redacted
        summary = CellSummary(cell)
        (place, share) = (cell.place, cell.share)
        digest = cell.hashValue
        attempts = cell.attempts.map { ($0.number, $0.schedule?.file) }
        self.source = source ?? .memory(cell)
        isWrittenAsItIs = if case .file = source { cell.bundle == nil && clean == cell } else { false }
        cleanName = clean.name == cell.name ? summary.name : clean.name
    }

    /// The bytes of its text in a file; 0 for a cell in memory.
    var bytes: Int {
        switch source {
        case .file(let place): place.bytes
        case .memory: 0
        case .parts(let parts): parts.map(\.cell.bytes).reduce(0, +)
        }
    }

    /// Its priority in reports that have no room for all cells, 0 first: cells that count and are worst.
    var rank: Int {
        if summary.outcome.verdict == .pass { return summary.lenientChecks > 0 ? 2 : 3 }
        return summary.outcome.decides ? 0 : 1
    }
}
