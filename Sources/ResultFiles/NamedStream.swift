import FoundationEssentials
import Glibc
import SystemPackage

/// A target at a path that must not be replaced: a device, a pipe, a socket, or a descriptor of this process.
///
/// A file in its place would take it from all its users: `/dev/null`, for example, from the whole machine.
struct NamedStream {
    private let path: FilePath
    /// A descriptor of this process, which may be a file: `/dev/stdout`, `/dev/fd/5`, or a link to one; otherwise nil.
    private let descriptor: Int32?

    /// The most links that are followed to a descriptor.
    private static let mostLinks = 16

    /// Nil for a file, a folder, a link to one of these, and a path that does not exist.
    init?(_ path: FilePath) {
        self.path = path
        descriptor = Self.descriptor(path)
        guard descriptor == nil else { return }
        guard let type = (try? path.stat())?.type, type != .regular, type != .directory else { return nil }
    }

    /// Throws `Errno` if it cannot be written to.
    func check() throws {
        guard let descriptor else {
            guard access(path.string, W_OK) == 0 else { throw Errno(rawValue: errno) }
            return
        }
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0 else { throw Errno(rawValue: errno) }
        guard flags & O_ACCMODE != O_RDONLY else { throw Errno.badFileDescriptor }
    }

    /// Writes to it in place, after what was written before.
    func write(_ bytes: some Sequence<UInt8>) throws {
        if let descriptor {
            _ = try FileDescriptor(rawValue: descriptor).writeAll(bytes)
            return
        }
        // A pipe without a reader is an error, not an endless wait.
        let file = FileDescriptor(rawValue: open(path.string, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC))
        guard file.rawValue >= 0 else { throw Errno(rawValue: errno) }
        try file.closeAfter {
            let flags = fcntl(file.rawValue, F_GETFL)
            guard flags >= 0, fcntl(file.rawValue, F_SETFL, flags & ~O_NONBLOCK) >= 0 else {
                throw Errno(rawValue: errno)
            }
            _ = try file.writeAll(bytes)
        }
    }

    /// The descriptor of this process that a path leads to, as `/dev/stdout` does through `/proc/self/fd/1`.
    private static func descriptor(_ path: FilePath) -> Int32? {
        var path = path
        for _ in 0..<mostLinks {
            let parent = path.removingLastComponent()
            guard let name = path.lastComponent?.string,
                let folder = realpath(parent.isEmpty ? "." : parent.string, nil)
            else { return nil }
            defer { free(folder) }
            let place = String(cString: folder)
            if place == "/proc/\(getpid())/fd" { return Int32(name) }
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path.string) else {
                return nil
            }
            path = FilePath(place).pushing(FilePath(target))
        }
        return nil
    }
}
