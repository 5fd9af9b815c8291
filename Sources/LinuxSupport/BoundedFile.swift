import Glibc
package import SystemPackage

/// Reads whole files that another program or person wrote: regular files only, and at most a given number of bytes.
package enum BoundedFile {
    /// Why a file was not read, as the end of a sentence: "could not be opened: No such file or directory".
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The first `most` + 1 bytes of the file at `path`: the caller sees by the extra byte that the file is too large.
    ///
    /// A link to a file is refused if `followsLink` is false (default: true).
    package static func read(_ path: FilePath, most: Int, followsLink: Bool = true) throws(Failure) -> [UInt8] {
        do {
            // Without O_NONBLOCK, opening a pipe would wait for a writer.
            var options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
            if !followsLink { options.insert(.noFollow) }
            let file = try FileDescriptor.open(path, .readOnly, options: options)
            return try file.closeAfter { try read(file, most: most) }
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(description: "could not be read: \(error)")
        }
    }

    /// The same, with the error that `error` makes of the reason.
    package static func read<Problem: Error>(
        _ path: FilePath, most: Int, orThrow error: (Failure) -> Problem
    ) throws(Problem) -> [UInt8] {
        do { return try read(path, most: most) } catch let failure { throw error(failure) }
    }

    /// The text of a small file, such as one of /proc; nil if it cannot be read.
    ///
    /// A text of more than `most` bytes (default: 64 KiB) is cut off.
    package static func text(_ path: FilePath, most: Int = 1 << 16) -> String? {
        (try? read(path, most: most)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The rest of the first line of a text that begins with `key`, with single spaces; nil if no line does.
    package static func field(_ key: String, in text: String?) -> String? {
        text?.split(separator: "\n").first { $0.hasPrefix(key) }.map {
            $0.dropFirst(key.count).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }

    private static func read(_ file: FileDescriptor, most: Int) throws -> [UInt8] {
        var status = stat()
        guard unsafe fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(description: "is not a regular file") }
        var bytes: [UInt8] = []
        // One read of a file of the kernel's is a consistent view.
        var chunk = [UInt8](repeating: 0, count: min(64 << 10, most + 1))
        while bytes.count <= most {
            let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(min(count, most + 1 - bytes.count))
        }
        return bytes
    }
}
