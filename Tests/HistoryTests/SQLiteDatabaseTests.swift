import CSQLite
import SystemPackage
import Testing

@testable import History

@Suite("SQLite databases")
struct SQLiteDatabaseTests {
    /// Whether an error has a code, and a message that contains these words.
    static func isError(_ error: any Error, _ code: Int32, _ words: String) -> Bool {
        guard let error = error as? SQLiteError else { return false }
        return error.code == code && error.message.contains(words)
    }

    @Test("values are read back as they were bound, also by a statement that runs again")
    func values() throws {
        let database = try SQLiteDatabase(opening: ":memory:", isReadOnly: false)
        try database.execute("CREATE TABLE t (a, b, c); CREATE INDEX i ON t (a)")
        let insert = try SQLiteStatement("INSERT INTO t VALUES (?, ?, ?)", in: database)
        try insert.run([.integer(.min), .real(1.5), .text("é \u{1F}\n'")])
        try insert.run([.integer(.max), .real(nil), .text(nil)])
        #expect(database.lastInsertedRow == 2 && database.changes == 1)
        let row = try SQLiteStatement("SELECT a, b, c FROM t ORDER BY a", in: database)
        #expect(try row.next())
        #expect(try row.integer(0) == .min && row.real(0) == Double(Int64.min))
        #expect(try row.real(1) == 1.5 && row.text(2) == "é \u{1F}\n'")
        #expect(try row.next())
        #expect(try row.integer(0) == .max && row.real(1) == nil && row.real(2) == nil)
        #expect(try !row.next())
    }

    @Test(
        "a value of another type is refused with the name of its column",
        arguments: ["1", "1.5", "'1'", "x'31'", "NULL"])
    func kinds(_ value: String) throws {
        let database = try SQLiteDatabase(opening: ":memory:", isReadOnly: false)
        let row = try SQLiteStatement("SELECT \(value) AS \"t.a\"", in: database)
        #expect(try row.next())
        func isRead(_ body: () throws -> Void) throws -> Bool {
            do { try body() } catch {
                #expect(Self.isError(error, SQLITE_MISMATCH, "the column t.a has a value of another type"))
                return false
            }
            return true
        }
        #expect(try isRead { _ = try row.integer(0) } == (value == "1"))
        #expect(try isRead { _ = try row.text(0) } == (value == "'1'"))
        #expect(try isRead { _ = try row.real(0) } == ["1", "1.5", "NULL"].contains(value))
    }

    @Test("a transaction whose body throws, or breaks a foreign key, leaves nothing, and the next one works")
    func transactions() throws {
        let database = try SQLiteDatabase(opening: ":memory:", isReadOnly: false)
        try database.execute(
            "CREATE TABLE t (a PRIMARY KEY); CREATE TABLE u (b REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
        for sql in ["INSERT INTO t VALUES (1)", "INSERT INTO u VALUES (9)"] {
            #expect {
                try database.write {
                    try database.execute("INSERT INTO t VALUES (1)")
                    try database.execute(sql)
                }
            } throws: {
                Self.isError($0, SQLITE_CONSTRAINT, "constraint failed")
            }
            #expect(try database.integer("SELECT count(*) FROM t") == 0)
        }
        #expect(try database.write { try database.integer("SELECT 7") } == 7)
    }

    @Test("a statement that does not fit the tables gives SQLite's message")
    func statements() throws {
        let database = try SQLiteDatabase(opening: ":memory:", isReadOnly: false)
        for (sql, words) in [
            ("SELECT a FROM t", "no such table: t"), ("SELECT \"a\"", "no such column: a"), ("SELEC", "syntax error"),
        ] {
            #expect {
                _ = try database.integer(sql)
            } throws: {
                Self.isError($0, SQLITE_ERROR, words)
            }
        }
    }

    @Test("while one connection writes, others read the earlier content, and may not write")
    func busy() throws {
        try HistoryTests.withFolder { folder in
            let file = folder.appending("a.sqlite").string
            let one = try SQLiteDatabase(opening: file, isReadOnly: false)
            try one.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
            let (two, reader) = (
                try SQLiteDatabase(opening: file, isReadOnly: false),
                try SQLiteDatabase(opening: file, isReadOnly: true)
            )
            try one.write {
                try one.execute("INSERT INTO t VALUES (1)")
                #expect {
                    try two.write {}
                } throws: {
                    Self.isError($0, SQLITE_BUSY, "locked")
                }
                #expect(try reader.read { try reader.integer("SELECT count(*) FROM t") } == 0)
            }
            #expect(try reader.integer("SELECT count(*) FROM t") == 1)
            #expect {
                try reader.execute("INSERT INTO t VALUES (2)")
            } throws: {
                Self.isError($0, SQLITE_READONLY, "readonly")
            }
        }
    }

    @Test("only a writer creates a missing file")
    func opening() throws {
        try HistoryTests.withFolder { folder in
            let file = folder.appending("a.sqlite").string
            #expect {
                try SQLiteDatabase(opening: file, isReadOnly: true)
            } throws: {
                Self.isError($0, SQLITE_CANTOPEN, "unable to open")
            }
            _ = try SQLiteDatabase(opening: file, isReadOnly: false)
            _ = try SQLiteDatabase(opening: file, isReadOnly: true)
        }
    }
}
