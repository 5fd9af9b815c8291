import FoundationEssentials
package import Results

extension RunHistory {
    /// Adds a run: its cells with a fingerprint, and the samples of their attempts that count.
    ///
    /// `run` must be redacted. Throws ``HistoryError``; then nothing is recorded.
    package func record(_ run: RunResult) throws(HistoryError) {
        try telling {
            let commandLine = String(decoding: try JSONEncoder().encode(run.commandLine), as: UTF8.self)
            try database.write {
                try database.run(
                    """
                    INSERT INTO run (started_at, duration_seconds, tool_version, command_line, verdict, exit_code)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                    [
                        .text(run.startedAt), .real(run.durationSeconds), .text(run.toolVersion), .text(commandLine),
                        .text(run.verdict.rawValue), .integer(Int64(run.exitCode)),
                    ])
                let id = database.lastInsertedRow
                for cell in run.cells { try insert(cell, ofRun: id) }
            }
        }
    }

    private func insert(_ cell: CellResult, ofRun run: Int64) throws {
        guard let fingerprint = cell.fingerprint else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(fingerprint), as: UTF8.self)
        try database.run(
            "INSERT INTO fingerprint (key, json) VALUES (?, ?) ON CONFLICT (key) DO NOTHING",
            [.text(fingerprint.key), .text(json)])
        try database.run(
            """
            INSERT INTO cell (run, name, verdict, exit_code, fingerprint, duration_seconds)
            VALUES (?, ?, ?, ?, (SELECT id FROM fingerprint WHERE key = ?), ?)
            """,
            [
                .integer(run), .text(cell.name), .text(cell.verdict.rawValue), .integer(Int64(cell.exitCode)),
                .text(fingerprint.key), .real(cell.durationSeconds),
            ])
        let id = database.lastInsertedRow
        let statement = try SQLiteStatement(
            "INSERT INTO sample (cell, metric, place, value) VALUES (?, ?, ?, ?)", in: database)
        // The measurements of a cell with infrastructure trouble say nothing about the client.
        let attempts = cell.verdict == .infrastructure ? [] : cell.countedAttempts
        for metric in Metric.allCases {
            for (place, attempt) in attempts.enumerated() where attempt.samples[metric] != .unknown {
                try statement.run([
                    .integer(id), .text(metric.rawValue), .integer(Int64(place)), .real(attempt.samples[metric].value),
                ])
            }
        }
    }

    /// Removes the runs that started before a moment, RFC 3339 in UTC; returns how many.
    ///
    /// Throws ``HistoryError``.
    package func prune(before moment: String) throws(HistoryError) -> Int {
        let count = try remove(where: "started_at < ?", [.text(moment)])
        if count > 0 { try compact() }
        return count
    }

    /// Removes the oldest runs until the file has at most `most` bytes, or no run is left; returns how many.
    ///
    /// Throws ``HistoryError``.
    package func prune(toBytes most: Int64) throws(HistoryError) -> Int {
        var removed = 0
        try compact()
        while try bytes() > most {
            // Removes a tenth at a time, because the size of a run is unknown before the file is compacted.
            let tenth = "max(1, (SELECT count(*) FROM run) / 10)"
            let count = try remove(where: "id IN (SELECT id FROM run ORDER BY started_at, id LIMIT \(tenth))", [])
            guard count > 0 else { break }
            removed += count
            try compact()
        }
        return removed
    }

    /// Removes the runs that fit a condition in SQL, and their fingerprints; returns how many runs.
    private func remove(where condition: String, _ values: [SQLiteValue]) throws(HistoryError) -> Int {
        try telling {
            try database.write {
                try database.run("DELETE FROM run WHERE \(condition)", values)
                let count = database.changes
                try database.execute("DELETE FROM fingerprint WHERE id NOT IN (SELECT fingerprint FROM cell)")
                return count
            }
        }
    }

    /// The size of the file in bytes.
    ///
    /// Throws ``HistoryError``.
    package func bytes() throws(HistoryError) -> Int64 {
        try telling {
            try database.read { try database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size") }
        }
    }

    /// Returns the removed space to the file system.
    private func compact() throws(HistoryError) {
        try telling {
            try database.execute("VACUUM")
            try database.emptyLog()
        }
    }
}
