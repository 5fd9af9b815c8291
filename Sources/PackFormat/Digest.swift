import CCrypto

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
}

extension Digest {
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
}

/// Bytes as lowercase hex digits.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(of bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether `text` is exactly `count` lowercase hex digits.
    static func isDigits(_ text: String, count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { digits.contains($0) }
    }
}
