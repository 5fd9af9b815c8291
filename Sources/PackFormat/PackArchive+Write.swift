import CLibArchive
import FoundationEssentials
import Glibc
package import SystemPackage

extension PackArchive {
    /// Writes the content of a folder as an archive, as Xcode exports it: every entry stored, `META-INF` first, then the
    /// resources in order of their names, `Info.plist` last.
    ///
    /// The same content gives the same bytes. The archive is made under another name and takes its own when it is whole.
    ///
    /// - Returns: Bytes of the archive.
    /// - Throws: `fileNotRead` for a folder with a link or a device in it, `noSpace`, `fileNotWritten`.
    package static func write(directory: FilePath, to file: FilePath) throws(PackFormatError) -> Int64 {
        let entries = try FileTree.entries(of: directory)
        if let odd = entries.first(where: { $0.kind != .file && $0.kind != .folder }) {
            throw .fileNotRead(directory.appending(odd.path), reason: "it is neither a file nor a folder")
        }
        let resources = entries.filter { $0.path != infoName } + entries.filter { $0.path == infoName }
        let temporary = FilePath(file.string + ".partial")
        do {
            let writer = try ArchiveWriter(temporary)
            try writer.open()
            try writer.addMetadata(of: resources)
            for entry in resources { try writer.add(entry, from: directory) }
            try writer.close()
            guard unsafe rename(temporary.string, file.string) == 0 else {
                throw PackFormatError.writing(file, Errno(rawValue: errno))
            }
        } catch let error as PackFormatError {
            unsafe unlink(temporary.string)
            throw error
        } catch {
            unsafe unlink(temporary.string)
            throw .fileNotWritten(file, reason: "\(error)")
        }
        var status = stat()
        guard unsafe lstat(file.string, &status) == 0 else { throw .writing(file, Errno(rawValue: errno)) }
        return Int64(status.st_size)
    }
}

/// An archive that is being written.
@safe private struct ArchiveWriter: ~Copyable {
    private let path: FilePath
    private let writer: OpaquePointer

    private static let folderMode: UInt32 = 0o40755
    private static let fileMode: UInt32 = 0o100_644

    init(_ path: FilePath) throws(PackFormatError) {
        guard let writer = unsafe archive_write_new() else { throw .fileNotWritten(path, reason: "\(Errno.noMemory)") }
        self.path = path
        unsafe self.writer = writer
    }

    func open() throws(PackFormatError) {
        unsafe archive_write_set_format_zip(writer)
        unsafe archive_write_set_options(writer, "zip:compression=store")
        unsafe archive_write_set_bytes_in_last_block(writer, 1)
        guard unsafe archive_write_open_filename(writer, path.string) == ARCHIVE_OK else { throw failure() }
    }

    deinit {
        unsafe archive_write_free(writer)
    }

    /// What lets a reader of a stream know how much is to come.
    func addMetadata(of entries: [FileTree.Entry]) throws(PackFormatError) {
        struct Metadata: Encodable {
            var StandardDirectoryPerms = 16877  // swift-format-ignore: AlwaysUseLowerCamelCase
            var StandardFilePerms = -32348  // swift-format-ignore: AlwaysUseLowerCamelCase
            var RecordCount: Int  // swift-format-ignore: AlwaysUseLowerCamelCase
            var TotalUncompressedBytes: Int64  // swift-format-ignore: AlwaysUseLowerCamelCase
            var Version = 2  // swift-format-ignore: AlwaysUseLowerCamelCase
        }
        let metadata = Metadata(
            RecordCount: entries.count, TotalUncompressedBytes: entries.map(\.size).reduce(0, +))
        let bytes = try PropertyList.encode(metadata, what: "the archive's metadata")
        let modified = entries.map(\.modified).max() ?? 0
        try begin(PackArchive.metadataFolder + "/", isFolder: true, size: 0, modified: modified)
        try begin(PackArchive.metadataName, isFolder: false, size: Int64(bytes.count), modified: modified)
        try write(bytes[...])
    }

    func add(_ entry: FileTree.Entry, from directory: FilePath) throws(PackFormatError) {
        let isFolder = entry.kind == .folder
        try begin(entry.path + (isFolder ? "/" : ""), isFolder: isFolder, size: entry.size, modified: entry.modified)
        guard !isFolder else { return }
        let source = directory.appending(entry.path)
        var left = entry.size
        do {
            let file = try FileDescriptor.open(source, .readOnly, options: [.closeOnExec, .noFollow])
            try file.closeAfter {
                var buffer = [UInt8](repeating: 0, count: 64 << 10)
                while left > 0 {
                    let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
                    guard count > 0, Int64(count) <= left else { break }
                    try write(buffer[..<count])
                    left -= Int64(count)
                }
            }
        } catch let error as PackFormatError {
            throw error
        } catch {
            throw .fileNotRead(source, reason: "\(error)")
        }
        guard left == 0 else { throw .fileNotRead(source, reason: "its size changed while it was read") }
    }

    func close() throws(PackFormatError) {
        guard unsafe archive_write_close(writer) == ARCHIVE_OK else { throw failure() }
    }

    private func begin(_ name: String, isFolder: Bool, size: Int64, modified: Int64) throws(PackFormatError) {
        guard let entry = unsafe archive_entry_new() else { throw .fileNotWritten(path, reason: "\(Errno.noMemory)") }
        defer { unsafe archive_entry_free(entry) }
        unsafe archive_entry_update_pathname_utf8(entry, name)
        unsafe archive_entry_set_mode(entry, isFolder ? Self.folderMode : Self.fileMode)
        unsafe archive_entry_set_size(entry, size)
        unsafe archive_entry_set_mtime(entry, Int(modified / 1_000_000_000), 0)
        guard unsafe archive_write_header(writer, entry) == ARCHIVE_OK else { throw failure() }
    }

    private func write(_ bytes: ArraySlice<UInt8>) throws(PackFormatError) {
        let count = unsafe bytes.withUnsafeBytes { unsafe archive_write_data(writer, $0.baseAddress, $0.count) }
        guard count == bytes.count else { throw failure() }
    }

    private func failure() -> PackFormatError {
        let error = Errno(rawValue: unsafe archive_errno(writer))
        if error == .noSpace || error == .diskQuotaExceeded { return .noSpace(path) }
        let text = unsafe archive_error_string(writer).map { unsafe String(cString: $0) }
        return .fileNotWritten(path, reason: text ?? "\(error)")
    }
}
