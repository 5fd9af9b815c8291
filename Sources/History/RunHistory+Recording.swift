import Foundation
import GRDB
package import Results

extension RunHistory {
    /// Adds a run: its cells that have a fingerprint, with the samples of their attempts that count.
    ///
    /// What it is given is to be without secrets. Throws ``HistoryError``; then nothing of it is recorded.
    package func record(_ run: RunResult) throws(HistoryError) {
        try telling {
            let commandLine = String(decoding: try JSONEncoder().encode(run.commandLine), as: UTF8.self)
            try database.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO run (started_at, duration_seconds, tool_version, command_line, verdict, exit_code)
                        VALUES (?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        run.startedAt, run.durationSeconds, run.toolVersion, commandLine, run.verdict.rawValue,
                        run.exitCode,
                    ])
                let id = db.lastInsertedRowID
                for cell in run.cells { try Self.insert(cell, ofRun: id, db) }
            }
        }
    }

    private static func insert(_ cell: CellResult, ofRun run: Int64, _ db: Database) throws {
        guard let fingerprint = cell.fingerprint else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(fingerprint), as: UTF8.self)
        try db.execute(
            sql: "INSERT INTO fingerprint (key, json) VALUES (?, ?) ON CONFLICT (key) DO NOTHING",
            arguments: [fingerprint.key, json])
        try db.execute(
            sql: """
                INSERT INTO cell (run, name, verdict, exit_code, fingerprint)
                VALUES (?, ?, ?, ?, (SELECT id FROM fingerprint WHERE key = ?))
                """,
            arguments: [run, cell.name, cell.verdict.rawValue, cell.exitCode, fingerprint.key])
        let id = db.lastInsertedRowID
        let statement = try db.cachedStatement(
            sql: "INSERT INTO sample (cell, metric, place, value) VALUES (?, ?, ?, ?)")
        // What a cell that came to nothing has measured says nothing of the client.
        let attempts = cell.verdict == .infrastructure ? [] : cell.countedAttempts
        for metric in Metric.allCases {
            for (place, attempt) in attempts.enumerated() where attempt.samples[metric] != .unknown {
                try statement.execute(arguments: [id, metric.rawValue, place, attempt.samples[metric].value])
            }
        }
    }

    /// Removes the runs that were started before a moment, RFC 3339 in UTC; answers how many.
    package func prune(before moment: String) throws(HistoryError) -> Int {
        let count = try telling {
            try database.write { db in
                try db.execute(sql: "DELETE FROM run WHERE started_at < ?", arguments: [moment])
                let count = db.changesCount
                try Self.dropFingerprints(db)
                return count
            }
        }
        if count > 0 { try compact() }
        return count
    }

    /// Removes the oldest runs until the file has at most so many bytes, or none is left; answers how many.
    package func prune(toBytes most: Int64) throws(HistoryError) -> Int {
        var removed = 0
        try compact()
        while try bytes() > most {
            let count = try telling {
                try database.write { db in
                    // A tenth at a time: what a run takes is not known before the file is compacted.
                    let all = try Int.fetchOne(db, sql: "SELECT count(*) FROM run") ?? 0
                    try db.execute(
                        sql: "DELETE FROM run WHERE id IN (SELECT id FROM run ORDER BY started_at, id LIMIT ?)",
                        arguments: [max(1, all / 10)])
                    let count = db.changesCount
                    try Self.dropFingerprints(db)
                    return count
                }
            }
            guard count > 0 else { break }
            removed += count
            try compact()
        }
        return removed
    }

    private static func dropFingerprints(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM fingerprint WHERE id NOT IN (SELECT fingerprint FROM cell)")
    }

    /// The bytes of the file.
    package func bytes() throws(HistoryError) -> Int64 {
        try telling {
            try database.read { db in
                let pages = try Int64.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                return pages * (try Int64.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
            }
        }
    }

    /// Gives what was removed back to the disk.
    private func compact() throws(HistoryError) {
        try telling {
            try database.writeWithoutTransaction { db in
                try db.execute(sql: "VACUUM")
                _ = try db.checkpoint(.truncate)
            }
        }
    }
}
