import CCrypto
package import SystemPackage

/// The digests that pack formats use, by libcrypto; see EVP_DigestInit(3).
package enum Digest {
    /// The MD5 of `bytes` as 32 lowercase hex digits.
    ///
    /// It names packs; it protects nothing.
    package static func md5Hex(_ bytes: [UInt8]) -> String {
        var stream = unsafe Stream(EVP_md5())
        unsafe bytes.withUnsafeBytes { unsafe stream.update($0) }
        return stream.finish()
    }

    /// The SHA-256 of `bytes` as 64 lowercase hex digits.
    package static func sha256Hex(_ bytes: [UInt8]) -> String {
        var stream = Stream()
        unsafe bytes.withUnsafeBytes { unsafe stream.update($0) }
        return stream.finish()
    }

    /// A digest that is fed piece by piece: the owner of one EVP context.
    @safe package struct Stream: ~Copyable {
        private let context: OpaquePointer

        /// Begins a SHA-256 digest.
        package init() { unsafe self.init(EVP_sha256()) }

        /// Traps if there is no memory or no such algorithm: nothing here works without them.
        init(_ algorithm: OpaquePointer?) {
            guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, algorithm, nil) == 1 else {
                fatalError("libcrypto offers no such digest, or there is no memory for it")
            }
            unsafe self.context = context
        }

        deinit {
            unsafe EVP_MD_CTX_free(context)
        }

        /// Adds `bytes` to what is digested.
        package mutating func update(_ bytes: UnsafeRawBufferPointer) {
            guard let base = bytes.baseAddress else { return }
            let done = unsafe EVP_DigestUpdate(context, base, bytes.count)
            precondition(done == 1, "libcrypto refused to digest more bytes")
        }

        /// The digest of everything that was added, in lowercase hex digits.
        package consuming func finish() -> String {
            let digest = unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
                var length: UInt32 = 0
                let done = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, &length)
                precondition(done == 1, "libcrypto did not finish a digest")
                count = Int(length)
            }
            return Hexadecimal.text(of: digest)
        }
    }

    /// The SHA-256 of a file's content as 64 lowercase hex digits, read in pieces of 128 KiB.
    ///
    /// Throws `fileNotRead` for anything but a regular file, because it might never end, and if the task is cancelled.
    package static func sha256Hex(of path: FilePath) throws(PackFormatError) -> String {
        try PackFormatError.reading(path) {
            // Without O_NONBLOCK, opening a pipe would wait for a writer.
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try file.closeAfter {
                guard try file.stat().type == .regular else { throw Unread.notRegular }
                return try sha256Hex(of: file, most: .max)
            }
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

/// Bytes as lowercase hex digits.
enum Hexadecimal {
    static func text(of bytes: some Collection<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Whether `text` is exactly `count` lowercase hex digits.
    static func isDigits(_ text: String, count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }
}
