package import SystemPackage

/// Why a manifest, a tag table, a pack or a folder of packs cannot be used.
package enum PackFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A property list is none, or not the one that it should be.
    case notReadable(what: String, reason: String)
    /// A file or a folder could not be read.
    case fileNotRead(FilePath, reason: String)
    /// A file or a folder could not be written.
    case fileNotWritten(FilePath, reason: String)
    /// There is no room for more bytes of a file; what the system said.
    case noSpace(FilePath, Errno = .noSpace)
    /// An archive is damaged, tries what no pack does, or is not the same to all readers.
    case badArchive(FilePath, entry: String?, reason: String)
    /// A manifest and its files do not fit each other.
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

    /// Tells a full file system from other trouble in writing `path`.
    package static func writing(_ path: FilePath, _ error: any Error) -> PackFormatError {
        error.isNoSpace
            ? .noSpace(path, error.systemErrno ?? .noSpace) : .fileNotWritten(path, reason: error.systemReason)
    }
}
