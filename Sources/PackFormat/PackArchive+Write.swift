import Glibc
package import SystemPackage

extension PackArchive {
    /// One file or folder that goes into an archive.
    package struct Item: Hashable, Sendable {
        /// Where an item's bytes are.
        package enum Content: Hashable, Sendable {
            /// A folder, which has none.
            case folder
            /// A regular file of this size in bytes; a link instead of it is refused.
            case file(FilePath, size: Int64)
            /// These bytes.
            case bytes([UInt8])
        }

        /// The path within the pack, with `/` between its parts and none at its end.
        package var path: String
        /// Its bytes, or that it is a folder.
        package var content: Content
        /// When it was changed, in nanoseconds since 1970; kept to the second.
        package var modified: Int64

        /// An item of an archive.
        package init(path: String, content: Content, modified: Int64) {
            self.path = path
            self.content = content
            self.modified = modified
        }

        /// An entry of a folder as an item; throws `fileNotRead` for a link or a device.
        init(_ entry: FileTree.Entry, of directory: FilePath) throws(PackFormatError) {
            path = entry.path
            modified = entry.modified
            switch entry.kind {
            case .regular: content = .file(directory.appending(entry.path), size: entry.size)
            case .directory: content = .folder
            default: throw .fileNotRead(directory.appending(entry.path), reason: "it is neither a file nor a folder")
            }
        }

        /// Bytes of the item.
        package var size: Int64 {
            switch content {
            case .folder: 0
            case .file(_, let size): size
            case .bytes(let bytes): Int64(bytes.count)
            }
        }
    }

    /// Writes the content of a folder as an archive; see ``write(_:to:)``.
    ///
    /// - Returns: Bytes of the archive.
    /// - Throws: `fileNotRead` for a folder with a link or a device in it, `noSpace`, `fileNotWritten`.
    package static func write(directory: FilePath, to file: FilePath) throws(PackFormatError) -> Int64 {
        var items: [Item] = []
        for entry in try FileTree.entries(of: directory) { items.append(try Item(entry, of: directory)) }
        return try write(items, to: file)
    }

    /// Writes items as an archive in the form of Xcode's exports.
    ///
    /// Every entry is stored, not compressed. `META-INF` comes first, then the items in order of their paths,
    /// `Info.plist` last. So a reader can unpack the archive while it arrives.
    ///
    /// The same items give the same bytes, whatever the machine and its time zone. Missing parent folders are added.
    /// The archive is written under another name and renamed when it is complete. It is not synced to the disk
    /// (fsync(2)), because it can be built again.
    ///
    /// - Returns: Bytes of the archive.
    /// - Throws: `fileNotRead` for a file that cannot be read or changes meanwhile, `noSpace`, `fileNotWritten`, the
    ///   last also for a name that ``PackArchive/extract(file:into:limits:progress:)`` would refuse.
    package static func write(_ items: [Item], to file: FilePath) throws(PackFormatError) -> Int64 {
        let temporary = FilePath(file.string + ".partial")
        do throws(PackFormatError) {
            let items = try ordered(items, of: file)
            var writer = try StoredZipWriter(temporary)
            for item in metadata(of: items) + items { try writer.add(item) }
            let size = try writer.finish()
            guard unsafe rename(temporary.string, file.string) == 0 else {
                throw .writing(file, Errno(rawValue: errno))
            }
            return size
        } catch {
            unsafe unlink(temporary.string)
            throw error
        }
    }

    /// The items with their parent folders, each folder before its content, and `Info.plist` last.
    private static func ordered(_ items: [Item], of file: FilePath) throws(PackFormatError) -> [Item] {
        var paths = PackPaths()
        for item in items {
            guard PackPath.firstPart(item.path) != metadataFolder else {
                throw unfit(item.path, "'\(metadataFolder)' is reserved for the archive's own files", file)
            }
            do {
                try paths.enter(item.path, as: item.content == .folder ? .folder : .file)
            } catch {
                throw unfit(error.path, error.reason, file)
            }
        }
        // From here on no two paths are equal as texts, and none is both a file and a folder.
        var byPath = Dictionary(uniqueKeysWithValues: items.map { ($0.path, $0) })
        for item in items {
            var path = item.path
            while let folder = PackPath.parent(of: path) {
                let known = byPath[folder]?.modified ?? .min
                byPath[folder] = Item(path: folder, content: .folder, modified: max(known, item.modified))
                path = folder
            }
        }
        return byPath.values.sorted { one, other in
            guard (one.path == infoName) == (other.path == infoName) else { return other.path == infoName }
            return one.path.utf8.lexicographicallyPrecedes(other.path.utf8)
        }
    }

    private static func unfit(_ path: String, _ reason: String, _ file: FilePath) -> PackFormatError {
        .fileNotWritten(file, reason: "it cannot hold '\(NameText.visible(path))': \(reason)")
    }

    /// The metadata that tells a streaming reader how many entries and bytes follow.
    private static func metadata(of items: [Item]) -> [Item] {
        let list = PropertyList.dictionary([
            "StandardDirectoryPerms": .integer(16877),
            "StandardFilePerms": .integer(-32348),
            "RecordCount": .integer(Int64(items.count)),
            "TotalUncompressedBytes": .integer(items.map(\.size).reduce(0, +)),
            "Version": .integer(2),
        ])
        let modified = items.map(\.modified).max() ?? 0
        return [
            Item(path: metadataFolder, content: .folder, modified: modified),
            Item(path: metadataName, content: .bytes(list.binary), modified: modified),
        ]
    }
}
