import CSQLite
import FoundationEssentials
import Glibc
package import SystemPackage

/// The measurements of earlier runs, in an SQLite file.
///
/// Several processes may have it open at once: each writes in one short transaction, and waits for the others. It is
/// not Sendable: use it in one thread at a time.
package struct RunHistory {
    package let path: FilePath
    let database: SQLiteDatabase

    /// The seconds to wait for another process that is writing.
    static let patience = 10

    /// `HWND`: the application ID in the file, so that no other SQLite file is taken for a history.
    private static let applicationID: Int64 = 0x4857_4E44

    /// Opens a history to record runs in; makes it and its folder if it does not exist.
    package init(recordingAt path: FilePath) throws(HistoryError) {
        self.path = path
        do {
            let folder = path.removingLastComponent()
            if !folder.isEmpty {
                try FileManager.default.createDirectory(
                    atPath: folder.string, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
        } catch {
            let objection = Self.objection(to: path, isReading: false)
            let why = objection.map { " (\($0))" } ?? ""
            throw .unusable(path, reason: "its folder could not be made" + why, objection)
        }
        database = try Self.open(path, isReading: false)
        try telling { try Schema.migrate(database, at: path) }
    }

    /// Opens an existing history for reading; its folder need not be writable.
    package init(readingFrom path: FilePath) throws(HistoryError) {
        self.path = path
        guard FileManager.default.fileExists(atPath: path.string) else { throw .missing(path) }
        database = try Self.open(path, isReading: true)
        try telling { try Schema.check(database, at: path) }
    }

    private static func open(_ path: FilePath, isReading: Bool) throws(HistoryError) -> SQLiteDatabase {
        // SQLite treats some names specially, such as ':memory:' and those that begin with 'file:'.
        let name = path.isAbsolute ? path.string : "./\(path)"
        do {
            return try connection(name, at: path, isReading: isReading)
        } catch let error as SQLiteError where isReading && [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.code) {
            // Even to read a file that others may write to, SQLite creates a file next to it.
            let escapes: [Unicode.Scalar: String] = ["%": "%25", "?": "%3f", "#": "%23"]
            let escaped = name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
            do { return try connection("file:\(escaped)?immutable=1", at: path, isReading: true) } catch {
                throw HistoryError(error, path, isReading: isReading)
            }
        } catch {
            throw HistoryError(error, path, isReading: isReading)
        }
    }

    private static func connection(_ name: String, at path: FilePath, isReading: Bool) throws -> SQLiteDatabase {
        let database = try SQLiteDatabase(opening: name, isReadOnly: isReading, patience: patience)
        // In one transaction, because another process may be creating it.
        let (id, isEmpty) = try database.read {
            let id = try database.integer("PRAGMA application_id")
            return (id, try database.integer("SELECT count(*) FROM sqlite_schema") == 0)
        }
        guard id == applicationID || (id == 0 && isEmpty && !isReading) else { throw HistoryError.foreign(path) }
        guard !isReading else { return database }
        try database.executeWhenFree("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", patience: patience)
        if id == 0 { try database.execute("PRAGMA application_id = \(applicationID)") }
        return database
    }

    /// The error that prevents the use of a file or its folder, which need not exist; see faccessat(2).
    static func objection(to path: FilePath, isReading: Bool) -> Errno? {
        let mode = isReading ? R_OK : W_OK
        let full = FilePath(FileManager.default.currentDirectoryPath).pushing(path)
        var place = full
        while unsafe faccessat(AT_FDCWD, place.string, mode, AT_EACCESS) != 0 {
            guard errno == ENOENT, place.removeLastComponent() else { return Errno(rawValue: errno) }
        }
        // SQLite creates further files in the folder while it writes.
        guard !isReading, place == full else { return nil }
        let folder = full.removingLastComponent()
        return unsafe faccessat(AT_FDCWD, folder.string, mode, AT_EACCESS) == 0 ? nil : Errno(rawValue: errno)
    }

    /// Runs `body`, and rethrows its errors as ``HistoryError``.
    func telling<Value>(_ body: () throws -> Value) throws(HistoryError) -> Value {
        do { return try body() } catch { throw HistoryError(error, path, isReading: database.isReadOnly) }
    }
}

extension HistoryError {
    init(_ error: any Error, _ path: FilePath, isReading: Bool) {
        if let error = error as? HistoryError {
            self = error
            return
        }
        guard let error = error as? SQLiteError else {
            self = .unusable(path, reason: "\(error)")
            return
        }
        self =
            switch error.code {
            case SQLITE_NOTADB: .foreign(path)
            // A statement that does not fit the tables gives the general SQLITE_ERROR.
            case SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_CONSTRAINT:
                .damaged(path, reason: error.message)
            case SQLITE_BUSY, SQLITE_LOCKED: .busy(path)
            case SQLITE_FULL: .full(path)
            default:
                .unusable(path, reason: error.message, RunHistory.objection(to: path, isReading: isReading))
            }
    }
}
