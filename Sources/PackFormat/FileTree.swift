import Glibc
package import SystemPackage

/// The files below a folder.
///
/// Links are never followed.
package enum FileTree {
    /// One file, folder or other thing below a folder.
    package struct Entry: Hashable, Sendable {
        /// The path relative to the folder, with `/` between its parts.
        package var path: String
        package var kind: FileType
        /// Bytes of a regular file; 0 for anything else.
        package var size: Int64
        /// Bytes of it on the disk, at most ``size``: a file with holes has fewer.
        package var stored: Int64
        /// The modification time, in nanoseconds since 1970.
        package var modified: Int64
    }

    /// Everything below `folder`, sorted by path; a folder comes before its content.
    ///
    /// Throws `fileNotRead`, also for more than ``PackPath/mostFolders`` levels of folders.
    package static func entries(of folder: FilePath) throws(PackFormatError) -> [Entry] {
        var entries: [Entry] = []
        try collect(folder, prefix: "", level: 0, into: &entries)
        return entries.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The entry of this name in a folder; nil if there is none.
    package static func entry(named name: String, in folder: FilePath) throws(PackFormatError) -> Entry? {
        try entry(at: folder.appending(name), named: name)
    }

    private static func collect(
        _ folder: FilePath, prefix: String, level: Int, into entries: inout [Entry]
    ) throws(PackFormatError) {
        guard level <= PackPath.mostFolders else {
            throw .fileNotRead(folder, reason: "it is more than \(PackPath.mostFolders) folders deep")
        }
        for name in try names(in: folder) {
            guard let entry = try entry(at: folder.appending(name), named: prefix + name) else { continue }
            entries.append(entry)
            guard entry.kind == .directory else { continue }
            try collect(folder.appending(name), prefix: prefix + name + "/", level: level + 1, into: &entries)
        }
    }

    /// The names in a folder, sorted, without `.` and `..`; throws for a name that is not UTF-8, and for more than
    /// `most`.
    package static func names(in folder: FilePath, most: Int = .max) throws(PackFormatError) -> [String] {
        guard let stream = unsafe opendir(folder.string) else {
            throw .fileNotRead(folder, reason: "\(Errno(rawValue: errno))")
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let bytes = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { unsafe Array($0.prefix { $0 != 0 }) }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                throw .fileNotRead(
                    folder,
                    reason: "the name of '\(NameText.escaped(bytes: bytes))' in it is not UTF-8; rename it")
            }
            guard name != ".", name != ".." else { continue }
            guard names.count < most else { throw .fileNotRead(folder, reason: "it holds more than \(most) names") }
            names.append(name)
        }
        return names.sorted()
    }

    /// The entry at a path; nil if it no longer exists.
    private static func entry(at path: FilePath, named name: String) throws(PackFormatError) -> Entry? {
        let status: Stat
        do { status = try path.stat(followTargetSymlink: false) } catch {
            if error == .noSuchFileOrDirectory { return nil }
            throw .fileNotRead(path, reason: "\(error)")
        }
        let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        let size = status.type == .regular ? status.size : 0
        return Entry(
            path: name, kind: status.type, size: size, stored: min(size, status.sizeAllocated), modified: modified)
    }
}
