import CCrypto

/// A private key on the curve P-256, made here and kept in memory only.
///
/// It is held as bytes rather than as a handle of libcrypto, so that it is an ordinary value.
struct P256Key: Sendable {
    /// The key as libcrypto and BoringSSL read it, RFC 5915.
    let privateBytes: [UInt8]
    /// The public point, uncompressed, SEC 1 §2.3.3.
    let publicPoint: [UInt8]

    /// A new key; see EVP_PKEY_generate(3).
    ///
    /// Fails only without memory or without entropy, and then nothing can go on.
    init() {
        let handle = unsafe Handle(
            made: {
                let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
                defer { unsafe EVP_PKEY_CTX_free(context) }
                var key: OpaquePointer?
                guard unsafe EVP_PKEY_keygen_init(context) == 1,
                    unsafe EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
                    unsafe EVP_PKEY_generate(context, &key) == 1
                else { return nil }
                return unsafe key
            }())
        publicPoint = handle.publicPoint
        privateBytes = handle.privateBytes
    }

    /// An ECDSA signature with SHA-256 over `message`, as DER; see EVP_DigestSign(3).
    func signature(of message: [UInt8]) -> [UInt8] {
        let handle = unsafe Handle(
            made: privateBytes.withUnsafeBufferPointer { bytes in
                var start = bytes.baseAddress
                return unsafe d2i_AutoPrivateKey(nil, &start, bytes.count)
            })
        return handle.signature(of: message)
    }
}

/// The owner of one EVP_PKEY.
@safe private struct Handle: ~Copyable {
    private let key: OpaquePointer

    init(made key: OpaquePointer?) {
        guard let key = unsafe key else { fatalError("libcrypto made no P-256 key: out of memory or of entropy") }
        unsafe self.key = key
    }

    deinit { unsafe EVP_PKEY_free(key) }

    var publicPoint: [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe EVP_PKEY_get1_encoded_public_key(key, &bytes)
        return unsafe Self.taken(bytes, count)
    }

    var privateBytes: [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_PrivateKey(key, &bytes)
        return unsafe Self.taken(bytes, max(0, Int(count)))
    }

    func signature(of message: [UInt8]) -> [UInt8] {
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        var count = Int(unsafe EVP_PKEY_get_size(key))
        let signature = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let isSigned =
                unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1
                && EVP_DigestSign(context, buffer.baseAddress, &count, message, message.count) == 1
            precondition(isSigned, "libcrypto did not sign with a key of its own")
            initialized = count
        }
        return signature
    }

    /// Copies bytes that libcrypto allocated, and frees them.
    private static func taken(_ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int) -> [UInt8] {
        guard let bytes = unsafe bytes, count > 0 else { fatalError("libcrypto did not encode a key of its own") }
        defer { unsafe CRYPTO_free(bytes, nil, 0) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
