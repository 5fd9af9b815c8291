import Glibc
import SystemPackage

/// A folder of its own under /tmp.
struct TemporaryFolder {
    let path: FilePath

    init() throws {
        var template = Array("/tmp/headwind-tls-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Errno(rawValue: errno) }
        path = FilePath(platformString: made)
    }

    /// Writes a file and returns its path.
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let file = path.appending(name)
        let descriptor = try FileDescriptor.open(file, .writeOnly, options: [.create], permissions: .ownerReadWrite)
        try descriptor.closeAfter { _ = try descriptor.writeAll(bytes) }
        return file.string
    }

    /// Replaces a file.
    func rewrite(_ name: String, _ bytes: [UInt8]) throws {
        unlink(path.appending(name).string)
        _ = try write(name, bytes)
    }

    /// Removes the files `pack` and `ca.pem`, and the folder.
    func remove() {
        for name in ["pack", "ca.pem"] { unlink(path.appending(name).string) }
        rmdir(path.string)
    }
}
