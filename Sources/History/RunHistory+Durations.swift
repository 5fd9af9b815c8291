import Results

extension RunHistory {
    /// The number of latest runs of a cell that its duration is computed from.
    private static let latestRuns = 5

    /// The duration of each cell in seconds, by name: the median of its five latest runs.
    ///
    /// Cells recorded by 0.2.0 have no duration, and are left out. Throws ``HistoryError``.
    package func durations() throws(HistoryError) -> [String: Double] {
        try telling {
            guard try Schema.hasDurations(database, at: path) else { return [:] }
            let row = try SQLiteStatement(
                """
                SELECT cell.name, cell.duration_seconds FROM cell JOIN run ON cell.run = run.id
                WHERE cell.duration_seconds IS NOT NULL ORDER BY run.started_at DESC, run.id DESC
                """, in: database)
            var latest: [String: [Double]] = [:]
            while try row.next() {
                let name = try row.text(0)
                guard latest[name, default: []].count < Self.latestRuns, let seconds = try row.real(1) else { continue }
                latest[name, default: []].append(seconds)
            }
            return latest.compactMapValues(Statistics.median)
        }
    }
}
