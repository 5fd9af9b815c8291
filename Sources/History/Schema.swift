import GRDB
import SystemPackage

/// The tables of a history, and how those of earlier versions become them.
enum Schema {
    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        // Migrations are never changed, only added.
        migrator.registerMigration("1 runs, cells, samples") { db in
            try db.execute(
                sql: """
                    CREATE TABLE fingerprint (
                        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, json TEXT NOT NULL);
                    CREATE TABLE run (
                        id INTEGER PRIMARY KEY, started_at TEXT NOT NULL, duration_seconds REAL NOT NULL,
                        tool_version TEXT NOT NULL, command_line TEXT NOT NULL, verdict TEXT NOT NULL,
                        exit_code INTEGER NOT NULL);
                    CREATE INDEX run_by_time ON run (started_at);
                    CREATE TABLE cell (
                        id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, name TEXT NOT NULL,
                        verdict TEXT NOT NULL, exit_code INTEGER NOT NULL, fingerprint INTEGER NOT NULL REFERENCES fingerprint);
                    CREATE INDEX cell_by_run ON cell (run);
                    CREATE INDEX cell_by_name ON cell (name, fingerprint);
                    CREATE TABLE sample (
                        cell INTEGER NOT NULL REFERENCES cell ON DELETE CASCADE, metric TEXT NOT NULL,
                        place INTEGER NOT NULL, value REAL,
                        PRIMARY KEY (cell, metric, place)) WITHOUT ROWID;
                    """)
        }
        return migrator
    }

    static func migrate(_ database: DatabaseQueue, at path: FilePath) throws {
        guard try !database.read(migrator.hasBeenSuperseded) else { throw HistoryError.newer(path) }
        try migrator.migrate(database)
    }

    /// Throws where the tables are not those of this version.
    static func check(_ database: DatabaseQueue, at path: FilePath) throws {
        try database.read { db in
            guard try !migrator.hasBeenSuperseded(db) else { throw HistoryError.newer(path) }
            guard try migrator.hasCompletedMigrations(db) else {
                throw HistoryError.unusable(path, reason: "it was never written to, or by an earlier Headwind alone")
            }
        }
    }
}
