package import SystemPackage

/// Why a manifest, a tag table, a pack or a folder of packs cannot be used.
package enum PackFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A document is invalid, or not of the expected form.
    case notReadable(what: String, reason: String)
    /// A file or a folder could not be read.
    case fileNotRead(FilePath, reason: String)
    /// A file or a folder could not be written.
    case fileNotWritten(FilePath, reason: String)
    /// There is no space for more bytes of a file; the error is the system's.
    case noSpace(FilePath, Errno = .noSpace)
    /// An archive is damaged, contains what no pack may contain, or reads differently in different readers.
    case badArchive(FilePath, entry: String?, reason: String)
    /// A manifest and its files do not match.
    case badSite(FilePath, reason: String)

    package var description: String {
        switch self {
        case .notReadable(let what, let reason):
            "Could not read \(what): \(reason)."
        case .fileNotRead(let path, let reason):
            "Could not read '\(path)': \(reason)."
        case .fileNotWritten(let path, let reason):
            "Could not write '\(path)': \(reason)."
        case .noSpace(let path, let error):
            "Could not write '\(path)': \(error.systemReason)\(error == .fileTooLarge ? "" : ". Make room, and try again")."
        case .badArchive(let path, let entry, let reason):
            "Could not read the archive '\(path)'\(entry.map { ", entry '\(NameText.visible(String($0.prefix(120))))'" } ?? ""): \(reason). "
                + "Nothing of it was kept. Build or download the archive again."
        case .badSite(let path, let reason):
            "Could not serve '\(path)': \(reason)."
        }
    }

    var isFullFileSystem: Bool { if case .noSpace = self { true } else { false } }

    /// The error of a failed write to `path`: `noSpace` if the file system is full, else `fileNotWritten`.
    package static func writing(_ path: FilePath, _ error: any Error) -> PackFormatError {
        error.isNoSpace
            ? .noSpace(path, error.systemErrno ?? .noSpace) : .fileNotWritten(path, reason: error.systemReason)
    }

    /// What `body` returns; its error is that of a failed write to `path`.
    @discardableResult
    package static func writing<Value>(
        _ path: FilePath, _ body: () throws -> Value
    ) throws(PackFormatError) -> Value {
        do { return try body() } catch { throw writing(path, error) }
    }

    /// What `body` returns; its error is `fileNotRead` for `path`.
    package static func reading<Value>(
        _ path: FilePath, _ body: () throws -> Value
    ) throws(PackFormatError) -> Value {
        do { return try body() } catch { throw .fileNotRead(path, reason: error.systemReason) }
    }
}
