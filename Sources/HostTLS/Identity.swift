import CCrypto

/// A certificate and its private key on the curve P-256, made here and kept only in memory.
final class Identity: Sendable {
    private let key = unsafe CryptoObject(headwind_p256_key()) { unsafe EVP_PKEY_free($0) }
    private let certificate = unsafe CryptoObject(X509_new()) { unsafe X509_free($0) }

    /// What a certificate is for, RFC 5280 §4.2.1.
    enum Use {
        /// To sign other certificates.
        case authority
        /// To be a server of these host names and IP addresses.
        case server([String])

        /// The extensions that say so, in the notation of x509v3_config(5).
        fileprivate var extensions: [(Int32, String)] {
            switch self {
            case .authority:
                [
                    (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                    (NID_key_usage, "critical,keyCertSign,cRLSign"),
                ]
            case .server:
                [
                    (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
                    (NID_ext_key_usage, "serverAuth"),
                ]
            }
        }
    }

    /// Makes a key, and a certificate of `commonName` for it that is valid for `validity`, in seconds since 1970-01-01.
    ///
    /// `issuer` signs it; nil (the default) means that it signs itself. X.509 limits a name to 64 characters, and the
    /// rest is cut off.
    init(commonName: String, validity: ClosedRange<Int64>, use: Use, issuer: Identity? = nil) {
        let subject = unsafe X509_get_subject_name(certificate.pointer)
        let name = Array(String(commonName.unicodeScalars.prefix(64)).utf8)
        unsafe X509_set_version(certificate.pointer, 2)  // version 3
        unsafe ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.pointer), .random(in: 1...(.max)))
        unsafe X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, Int32(name.count), -1, 0)
        unsafe X509_set_issuer_name(
            certificate.pointer, issuer.map { unsafe X509_get_subject_name($0.certificate.pointer) } ?? subject)
        unsafe ASN1_TIME_set(X509_getm_notBefore(certificate.pointer), time_t(validity.lowerBound))
        unsafe ASN1_TIME_set(X509_getm_notAfter(certificate.pointer), time_t(validity.upperBound))
        unsafe X509_set_pubkey(certificate.pointer, key.pointer)
        let identifiers = [(NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always")]
        for (type, value) in identifiers + use.extensions { add(type, value, issuer: issuer ?? self) }
        if case .server(let names) = use { add(names) }
        let isSigned = unsafe X509_sign(certificate.pointer, (issuer ?? self).key.pointer, EVP_sha256()) > 0
        precondition(isSigned, "libcrypto did not sign with a key of its own")
    }

    private func add(_ type: Int32, _ value: String, issuer: Identity) {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, issuer.certificate.pointer, certificate.pointer, nil, nil, 0)
        let made = unsafe CryptoObject(X509V3_EXT_nconf_nid(nil, &context, type, value)) {
            unsafe X509_EXTENSION_free($0)
        }
        unsafe X509_add_ext(certificate.pointer, made.pointer, -1)
    }

    /// Adds the host names and IP addresses that the certificate is for, RFC 5280 §4.2.1.6.
    private func add(_ names: [String]) {
        let list = unsafe CryptoObject(GENERAL_NAMES_new()) { unsafe GENERAL_NAMES_free($0) }
        for name in names {
            let entry = unsafe GENERAL_NAME_new()
            if let address = unsafe a2i_IPADDRESS(name) {
                unsafe GENERAL_NAME_set0_value(entry, GEN_IPADD, address)
            } else {
                let text = unsafe ASN1_STRING_type_new(V_ASN1_IA5STRING)
                unsafe ASN1_STRING_set(text, Array(name.utf8), Int32(name.utf8.count))
                unsafe GENERAL_NAME_set0_value(entry, GEN_DNS, text)
            }
            unsafe OPENSSL_sk_push(list.pointer, entry)
        }
        unsafe X509_add1_ext_i2d(certificate.pointer, NID_subject_alt_name, UnsafeMutableRawPointer(list.pointer), 0, 0)
    }
}

extension Identity {
    /// The certificate as PEM, RFC 7468.
    var certificatePEM: String { unsafe pem { unsafe PEM_write_bio_X509($0, certificate.pointer) } }

    /// The private key as PEM, RFC 5958, not encrypted.
    var keyPEM: String { unsafe pem { unsafe PEM_write_bio_PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) } }

    private func pem(_ write: (OpaquePointer) -> Int32) -> String {
        let output = unsafe CryptoObject(BIO_new(BIO_s_mem())) { unsafe BIO_free($0) }
        let isWritten = unsafe write(output.pointer) == 1
        precondition(isWritten, "libcrypto did not write what it made")
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe BIO_ctrl(output.pointer, BIO_CTRL_INFO, 0, &start)
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}

/// Owns one object of libcrypto, which is only read after it is made, so that threads may share it.
@safe struct CryptoObject: ~Copyable, @unchecked Sendable {
    let pointer: OpaquePointer
    private let free: @Sendable (OpaquePointer) -> Void

    /// Takes over an object of libcrypto; nil, which means a lack of memory or entropy, ends the process.
    init(_ made: OpaquePointer?, free: @escaping @Sendable (OpaquePointer) -> Void) {
        guard let made = unsafe made else { fatalError("libcrypto is out of memory or of entropy") }
        unsafe pointer = made
        unsafe self.free = free
    }

    deinit { unsafe free(pointer) }
}
