import CLibArchive
import Glibc
import SystemPackage

/// The file of an archive, for both of its readers: libarchive, and ``ArchiveDirectory``.
@safe final class ArchiveSource {
    private static let blockSize = 64 << 10

    private let file: FileDescriptor
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 16)

    /// Where the file is.
    let path: FilePath
    /// Bytes of the file as it was opened.
    let size: Int64

    /// Opens a file without waiting for the writer of a pipe; throws `fileNotRead`.
    init(_ path: FilePath) throws(PackFormatError) {
        self.path = path
        file = try PackFormatError.reading(path) {
            try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        }
        do {
            size = try file.seek(offset: 0, from: .end)
            try file.seek(offset: 0, from: .start)
        } catch {
            try? file.close()
            throw .fileNotRead(path, reason: error.systemReason)
        }
    }

    deinit {
        unsafe block.deallocate()
        try? file.close()
    }

    /// Bytes of the file; `start` and `count` must lie within its size.
    ///
    /// Throws `fileNotRead` if the file cannot be read, or has become shorter.
    func bytes(at start: Int64, count: Int) throws(PackFormatError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try PackFormatError.reading(path) {
            try unsafe bytes.withUnsafeMutableBytes { try unsafe ContainedFile.read(file, at: start, into: $0) }
        }
        guard filled == count else { throw .fileNotRead(path, reason: "it became shorter while it was read") }
        return bytes
    }

    /// An error about the archive, or about one of its entries.
    func bad(_ entry: String?, _ reason: String) -> PackFormatError {
        .badArchive(path, entry: entry, reason: reason)
    }

    /// Opens this file in `reader`, whose format must be set already; returns libarchive's status.
    ///
    /// The source must outlive the reader.
    func open(in reader: OpaquePointer) -> CInt {
        unsafe archive_read_set_callback_data(reader, Unmanaged.passUnretained(self).toOpaque())
        unsafe archive_read_set_read_callback(reader) { _, source, place in
            guard let source = unsafe source else { return -1 }
            return unsafe Unmanaged<ArchiveSource>.fromOpaque(source).takeUnretainedValue().read(place)
        }
        unsafe archive_read_set_seek_callback(reader) { _, source, offset, whence in
            guard let source = unsafe source else { return -1 }
            return unsafe Unmanaged<ArchiveSource>.fromOpaque(source).takeUnretainedValue().seek(offset, whence)
        }
        return unsafe archive_read_open1(reader)
    }

    private func read(_ place: UnsafeMutablePointer<UnsafeRawPointer?>?) -> la_ssize_t {
        guard let count = unsafe try? file.read(into: block) else { return la_ssize_t(ARCHIVE_FATAL) }
        unsafe place?.pointee = UnsafeRawPointer(block.baseAddress)
        return count
    }

    private func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
        let start: FileDescriptor.SeekOrigin = whence == SEEK_SET ? .start : whence == SEEK_END ? .end : .current
        return (try? file.seek(offset: offset, from: start)) ?? Int64(ARCHIVE_FATAL)
    }
}
