import Glibc
import PackFormat
import SystemPackage

/// Copies files and keeps their holes: parts of a sparse file without data are not written.
enum FileCopy {
    private static let pieceSize = 1 << 20

    /// Copies a regular file to a path that must not exist.
    ///
    /// Holes stay holes if the source's file system reports them (lseek(2), SEEK_DATA). Throws `fileNotRead` for a
    /// link, and for a file whose size is no longer `size` bytes; `noSpace`, `fileNotWritten`.
    static func copy(_ source: FilePath, size: Int64, to target: FilePath) throws(PackFormatError) {
        let input = try PackFormatError.reading(source) {
            try FileDescriptor.open(source, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        }
        defer { try? input.close() }
        guard let length = try? input.seek(offset: 0, from: .end), length == size else {
            throw .fileNotRead(source, reason: "its size changed while it was read")
        }
        try PackFormatError.writing(target) {
            let output = try open(target)
            try output.closeAfter {
                guard ftruncate(output.rawValue, off_t(size)) == 0 else { throw Errno(rawValue: errno) }
                try fill(output, from: input, size: size)
            }
        }
    }

    /// Writes a file that must not exist; it is not synced to the disk (fsync(2)), because it can be built again.
    ///
    /// Foundation would wait for the disk with each file.
    static func write(_ bytes: [UInt8], to target: FilePath) throws(PackFormatError) {
        try PackFormatError.writing(target) {
            let output = try open(target)
            try output.closeAfter { _ = try output.writeAll(bytes) }
        }
    }

    private static func open(_ target: FilePath) throws -> FileDescriptor {
        try FileDescriptor.open(
            target, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
            permissions: [.ownerReadWrite, .groupRead, .otherRead])
    }

    private static func fill(_ output: FileDescriptor, from input: FileDescriptor, size: Int64) throws {
        var buffer: [UInt8] = []
        var offset: Int64 = 0
        while let data = input.data(from: offset, size: size) {
            let end = data.upperBound
            offset = data.lowerBound
            if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: pieceSize) }
            while offset < end {
                let count = try unsafe buffer.withUnsafeMutableBytes {
                    try unsafe input.read(
                        fromAbsoluteOffset: offset,
                        into: .init(rebasing: $0[..<Int(min(end - offset, Int64(pieceSize)))]))
                }
                guard count > 0 else { throw Errno.ioError }
                try output.writeAll(toAbsoluteOffset: offset, buffer[..<count])
                offset += Int64(count)
            }
        }
    }
}
