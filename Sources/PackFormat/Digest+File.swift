package import SystemPackage

extension Digest {
    /// The SHA-256 of a file's content as 64 lowercase hex digits, read in pieces of 128 KiB.
    package static func sha256Hex(of path: FilePath) throws(PackFormatError) -> String {
        var digest = SHA256Stream()
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
            try file.closeAfter {
                var buffer = [UInt8](repeating: 0, count: 128 << 10)
                while true {
                    let count = try unsafe buffer.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
                    if count == 0 { break }
                    unsafe buffer.withUnsafeBytes { unsafe digest.update(.init(rebasing: $0[..<count])) }
                }
            }
        } catch {
            throw .fileNotRead(path, reason: "\(error)")
        }
        return digest.finish()
    }
}
