import SystemPackage

/// The tables of a history, and the migrations from earlier versions.
enum Schema {
    private struct Migration {
        let name: String
        let sql: String
    }

    // Migrations are never changed, only added.
    private static let migrations = [
        Migration(
            name: "1 runs, cells, samples",
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
                """),
        Migration(name: "2 durations", sql: "ALTER TABLE cell ADD COLUMN duration_seconds REAL"),
    ]

    /// Migrates a file's tables to this version.
    static func migrate(_ database: SQLiteDatabase, at path: FilePath) throws {
        guard try !database.read({ try missing(in: database, at: path).isEmpty }) else { return }
        try database.write {
            // Another process may have migrated it first.
            let missing = try missing(in: database, at: path)
            // The name is from GRDB.swift, with which earlier versions made their files.
            try database.execute(
                "CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            for migration in missing {
                try database.execute(migration.sql)
                try database.run("INSERT INTO grdb_migrations (identifier) VALUES (?)", [.text(migration.name)])
            }
        }
    }

    /// Throws if there are no tables, or those of a later version.
    ///
    /// Files of earlier versions can be read.
    static func check(_ database: SQLiteDatabase, at path: FilePath) throws {
        guard try database.read({ try missing(in: database, at: path).count }) < migrations.count else {
            throw HistoryError.unusable(path, reason: "it is empty")
        }
    }

    /// Whether the tables hold the durations of cells, which 0.2.0 did not record.
    static func hasDurations(_ database: SQLiteDatabase, at path: FilePath) throws -> Bool {
        try missing(in: database, at: path).isEmpty
    }

    /// The migrations that a file lacks; throws if it has one of a later version.
    private static func missing(in database: SQLiteDatabase, at path: FilePath) throws -> [Migration] {
        let table = "SELECT count(*) FROM sqlite_schema WHERE name = 'grdb_migrations' COLLATE NOCASE"
        guard try database.integer(table) > 0 else { return migrations }
        let statement = try SQLiteStatement("SELECT identifier FROM grdb_migrations", in: database)
        var names: Set<String> = []
        while try statement.next() { names.insert(try statement.text(0)) }
        guard names.isSubset(of: migrations.map(\.name)) else { throw HistoryError.newer(path) }
        return migrations.filter { !names.contains($0.name) }
    }
}
