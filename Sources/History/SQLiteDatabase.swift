import CSQLite
import Glibc

/// A connection to an SQLite database.
///
/// It is not Sendable: use it in one thread at a time. It is closed with the last reference to it.
@safe
final class SQLiteDatabase {
    let isReadOnly: Bool
    fileprivate let handle: OpaquePointer

    /// Opens a file; unless `isReadOnly`, creates a missing one.
    ///
    /// `file` is a path, or a URI that begins with `file:`. `patience` (default: 0) is the seconds to wait for others
    /// that hold the database. Opening reads little of the file: whether it is a database shows on first use.
    init(opening file: String, isReadOnly: Bool, patience: Int = 0) throws(SQLiteError) {
        var opened: OpaquePointer?
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = unsafe sqlite3_open_v2(file, &opened, access | SQLITE_OPEN_URI, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw SQLiteError(code)
        }
        self.isReadOnly = isReadOnly
        unsafe self.handle = handle
        try check(unsafe sqlite3_busy_timeout(handle, Int32(patience * 1000)))
        // A name in double quotes is never a string. The file's own schema may not call unsafe functions.
        for flag in [SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_TRUSTED_SCHEMA] {
            try check(unsafe headwind_sqlite_set_flag(handle, flag, 0))
        }
        try execute("PRAGMA foreign_keys = ON")
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// Runs statements in order, and ignores their results.
    func execute(_ sql: String) throws(SQLiteError) {
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Runs statements, and retries while others hold the database, for `patience` seconds.
    ///
    /// A change of the journal mode does not wait by itself: two processes that change it would wait for each other.
    func executeWhenFree(_ sql: String, patience: Int) throws(SQLiteError) {
        let end = ContinuousClock.now + .seconds(patience)
        while true {
            do { return try execute(sql) } catch {
                guard error.code == SQLITE_BUSY, .now < end else { throw error }
                // The caller blocks a thread anyway, and SQLite's own wait is also a sleep.
                usleep(10_000)
            }
        }
    }

    /// Runs one statement with a value for each of its parameters.
    func run(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
        try SQLiteStatement(sql, in: self).run(values)
    }

    /// The number that a statement returns.
    func integer(_ sql: String) throws(SQLiteError) -> Int64 {
        let statement = try SQLiteStatement(sql, in: self)
        _ = try statement.next()
        return try statement.integer(0)
    }

    /// The key of the last inserted row.
    var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// How many rows the last statement inserted, changed or removed, without those removed through foreign keys.
    var changes: Int { Int(unsafe sqlite3_changes(handle)) }

    /// Runs `body` on one snapshot of the database, whatever others write.
    func read<Value>(_ body: () throws -> Value) throws -> Value { try transaction("DEFERRED", body) }

    /// Runs `body` in a transaction that nothing else can write during; if it throws, nothing is written.
    func write<Value>(_ body: () throws -> Value) throws -> Value { try transaction("IMMEDIATE", body) }

    private func transaction<Value>(_ kind: String, _ body: () throws -> Value) throws -> Value {
        try execute("BEGIN \(kind)")
        do {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // After some errors, such as a full disk, SQLite has already rolled back.
            if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Moves the write-ahead log into the file, and empties the log.
    func emptyLog() throws(SQLiteError) {
        try check(unsafe sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil))
    }

    fileprivate func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else {
            throw SQLiteError(code: code, message: unsafe String(cString: sqlite3_errmsg(handle)))
        }
    }
}

/// A prepared statement, which can run many times.
@safe
struct SQLiteStatement: ~Copyable {
    private let database: SQLiteDatabase
    private let handle: OpaquePointer

    /// Throws if the statement does not fit the tables.
    init(_ sql: String, in database: SQLiteDatabase) throws(SQLiteError) {
        var prepared: OpaquePointer?
        try database.check(unsafe sqlite3_prepare_v2(database.handle, sql, -1, &prepared, nil))
        guard let prepared = unsafe prepared else { preconditionFailure("there is no statement in '\(sql)'") }
        self.database = database
        unsafe handle = prepared
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Resets the statement, and binds a value to each parameter.
    func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        // The result repeats the error of an earlier run.
        unsafe sqlite3_reset(handle)
        precondition(unsafe sqlite3_bind_parameter_count(handle) == values.count, "a value for each parameter")
        for (place, value) in zip(Int32(1)..., values) {
            switch value {
            case .real(nil), .text(nil): try database.check(unsafe sqlite3_bind_null(handle, place))
            case .integer(let number): try database.check(unsafe sqlite3_bind_int64(handle, place, number))
            case .real(let number?): try database.check(unsafe sqlite3_bind_double(handle, place, number))
            case .text(let text?): try database.check(unsafe headwind_sqlite_bind_text(handle, place, text))
            }
        }
    }

    /// Goes to the first or the next row; false if there are no more.
    func next() throws(SQLiteError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code != SQLITE_ROW, code != SQLITE_DONE { try database.check(code) }
        return code == SQLITE_ROW
    }

    /// Binds a value to each parameter, and runs it to its end.
    func run(_ values: [SQLiteValue]) throws(SQLiteError) {
        try bind(values)
        while try next() {}
        unsafe sqlite3_reset(handle)
    }

    /// The text in a column of the row, counted from 0.
    ///
    /// Throws if the value has another type, as the functions for numbers do.
    func text(_ column: Int32) throws(SQLiteError) -> String {
        try expect([SQLITE_TEXT], column)
        guard let text = unsafe sqlite3_column_text(handle, column) else { throw SQLiteError(SQLITE_NOMEM) }
        return unsafe String(cString: text)
    }

    func integer(_ column: Int32) throws(SQLiteError) -> Int64 {
        try expect([SQLITE_INTEGER], column)
        return unsafe sqlite3_column_int64(handle, column)
    }

    /// A number, whole or not; nil if the column is null.
    func real(_ column: Int32) throws(SQLiteError) -> Double? {
        try expect([SQLITE_FLOAT, SQLITE_INTEGER, SQLITE_NULL], column)
        guard unsafe sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
        return unsafe sqlite3_column_double(handle, column)
    }

    private func expect(_ kinds: [Int32], _ column: Int32) throws(SQLiteError) {
        guard !kinds.contains(unsafe sqlite3_column_type(handle, column)) else { return }
        let name = unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? "\(column)"
        throw SQLiteError(code: SQLITE_MISMATCH, message: "the column \(name) has a value of another type")
    }
}

/// A value for a parameter of a statement; nil is null.
enum SQLiteValue {
    case integer(Int64)
    case real(Double?)
    /// SQLite ends the text at its first NUL.
    case text(String?)
}

/// An error of SQLite.
struct SQLiteError: Error {
    /// A result code, such as `SQLITE_BUSY`; see https://www.sqlite.org/rescode.html.
    let code: Int32
    let message: String
}

extension SQLiteError {
    /// An error with SQLite's own message for its code.
    init(_ code: Int32) {
        self.init(code: code, message: unsafe String(cString: sqlite3_errstr(code)))
    }
}
