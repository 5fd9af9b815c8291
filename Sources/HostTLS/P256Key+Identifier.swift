import CCrypto

extension P256Key {
    /// What certificates call the key by: the first 160 bits of the SHA-256 of its public point, RFC 7093 §2.
    var identifier: [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let isDigested = unsafe EVP_Digest(publicPoint, publicPoint.count, &digest, nil, EVP_sha256(), nil) == 1
        precondition(isDigested, "libcrypto offers no SHA-256")
        return Array(digest.prefix(20))
    }
}
