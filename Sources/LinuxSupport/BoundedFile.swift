import Glibc
package import SystemPackage

/// Reads whole files that somebody else wrote: regular ones only, and never more than so many bytes.
package enum BoundedFile {
    /// Why a file was not read, as the end of a sentence: "could not be opened: No such file or directory".
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The bytes of the file at `path`; at most `most` + 1 of them, so that the caller sees when there are too many.
    package static func read(_ path: FilePath, most: Int) throws(Failure) -> [UInt8] {
        do {
            // Without O_NONBLOCK, opening a pipe would wait for somebody to write into it.
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try file.closeAfter { try read(file, most: most) }
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure(description: "could not be read: \(error)")
        }
    }

    private static func read(_ file: FileDescriptor, most: Int) throws -> [UInt8] {
        var status = stat()
        guard unsafe fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(description: "is not a regular file") }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= most {
            let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(min(count, most + 1 - bytes.count))
        }
        return bytes
    }
}
