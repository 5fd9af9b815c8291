package import SystemPackage

extension Digest {
    /// The SHA-256 of a file's content as 64 lowercase hex digits, read in pieces of 128 KiB.
    ///
    /// Throws `fileNotRead` for anything but a regular file, because it might never end, and if the task is cancelled.
    package static func sha256Hex(of path: FilePath) throws(PackFormatError) -> String {
        do {
            // Without O_NONBLOCK, opening a pipe would wait for a writer.
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try file.closeAfter {
                guard try file.stat().type == .regular else { throw Unread.notRegular }
                return try sha256Hex(of: file, most: .max)
            }
        } catch {
            throw .fileNotRead(path, reason: "\(error)")
        }
    }

    /// The SHA-256 of the rest of an open file; throws if that is more than `most` bytes.
    package static func sha256Hex(of file: FileDescriptor, most: Int64) throws -> String {
        var digest = Stream()
        var buffer = [UInt8](repeating: 0, count: 128 << 10)
        var total: Int64 = 0
        while true {
            if Task.isCancelled { throw Unread.cancelled }
            let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
            if count == 0 { break }
            total += Int64(count)
            guard total <= most else { throw Unread.grows }
            unsafe buffer.withUnsafeBytes { unsafe digest.update(.init(rebasing: $0[..<count])) }
        }
        return digest.finish()
    }

    /// Why a file was not read to its end.
    private enum Unread: String, Error, CustomStringConvertible {
        case notRegular = "it is not a regular file"
        case cancelled = "the reading was cancelled"
        case grows = "it grows while it is read"

        var description: String { rawValue }
    }
}
