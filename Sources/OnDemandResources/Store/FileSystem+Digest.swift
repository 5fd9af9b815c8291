import PackFormat
import SystemPackage

extension FileSystem {
    /// The SHA-256 of a file in lower-case hex, read piece by piece.
    static func sha256(of path: FilePath) throws(StoreError) -> String {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            defer { try? file.close() }
            var digest = Digest.SHA256Stream()
            var buffer = [UInt8](repeating: 0, count: 256 * 1024)
            while true {
                let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
                if count == 0 { return digest.finish() }
                unsafe buffer.withUnsafeBytes { unsafe digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            }
        } catch {
            throw StoreError("read", path, error as? Errno)
        }
    }
}
