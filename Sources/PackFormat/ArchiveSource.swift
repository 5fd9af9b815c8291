import CLibArchive
import Glibc
import SystemPackage

/// The file of an archive as libarchive reads it, with a bound on what it may read of the directory at the archive's end.
///
/// libarchive keeps a record of every entry in memory before it tells of the first, so entries can only be counted once
/// all of them are there. What it reads until then is the directory, and that is bounded here.
@safe final class ArchiveSource {
    private static let blockSize = 64 << 10

    private let file: FileDescriptor
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 16)
    /// Bytes that may still be read; nil once the directory was read.
    private var left: Int64?
    /// Whether reading ended because the directory is too large.
    private(set) var isOverBound = false

    /// Bytes of the file.
    let size: Int64

    /// Opens a file whose directory may have so many bytes; a pipe is not waited for.
    init(_ path: FilePath, directoryBytes: Int64) throws(PackFormatError) {
        do {
            file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        } catch {
            throw .fileNotRead(path, reason: error.systemReason)
        }
        do {
            size = try file.seek(offset: 0, from: .end)
            try file.seek(offset: 0, from: .start)
        } catch {
            try? file.close()
            throw .fileNotRead(path, reason: error.systemReason)
        }
        // In front of the directory its end is looked for, and a block is always read whole.
        left = directoryBytes + Int64(4 * Self.blockSize)
    }

    deinit {
        unsafe block.deallocate()
        try? file.close()
    }

    /// Has `reader` read this file, of which it must have been told the format; returns libarchive's status.
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

    /// Says that the directory was read: from here on the data of entries is.
    func directoryIsRead() { left = nil }

    private func read(_ place: UnsafeMutablePointer<UnsafeRawPointer?>?) -> la_ssize_t {
        if let left {
            guard left > 0 else {
                isOverBound = true
                return la_ssize_t(ARCHIVE_FATAL)
            }
            self.left = left - Int64(Self.blockSize)
        }
        guard let count = unsafe try? file.read(into: block) else { return la_ssize_t(ARCHIVE_FATAL) }
        unsafe place?.pointee = UnsafeRawPointer(block.baseAddress)
        return count
    }

    private func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
        let start: FileDescriptor.SeekOrigin = whence == SEEK_SET ? .start : whence == SEEK_END ? .end : .current
        return (try? file.seek(offset: offset, from: start)) ?? Int64(ARCHIVE_FATAL)
    }
}
