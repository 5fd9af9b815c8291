/// What a certificate is to say, RFC 5280 §4.1.
struct CertificateContents: Sendable {
    /// The common name of whom it is about.
    var subject: String
    /// The common name of who signs it.
    var issuer: String
    /// The key of whom it is about.
    var key: P256Key
    /// From when to when it holds, in seconds since 1970-01-01.
    var validity: ClosedRange<Int64>
    /// Host names and IP addresses that it is for; none for an authority.
    var names: [String] = []
    /// Whether it may sign other certificates.
    var isAuthority = false
}

extension CertificateContents {
    private static let ecdsaWithSHA256 = DER.sequence(DER.identifier(1, 2, 840, 10045, 4, 3, 2))

    /// The certificate, signed with the issuer's key, as DER.
    func signed(with issuerKey: P256Key) -> [UInt8] {
        let contents = self.contents(issuerKey)
        return DER.sequence(contents, Self.ecdsaWithSHA256, DER.bits(issuerKey.signature(of: contents)))
    }

    private func contents(_ issuerKey: P256Key) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        let serial = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        return DER.sequence(
            DER.context(0, constructed: true, DER.integer([2])),  // version 3
            DER.integer([0x40 | serial[0] >> 2] + serial[1...]),  // positive, and never 0
            Self.ecdsaWithSHA256,
            Self.name(issuer),
            DER.sequence(
                DER.time(secondsSinceEpoch: validity.lowerBound), DER.time(secondsSinceEpoch: validity.upperBound)),
            Self.name(subject),
            DER.sequence(
                DER.sequence(DER.identifier(1, 2, 840, 10045, 2, 1), DER.identifier(1, 2, 840, 10045, 3, 1, 7)),
                DER.bits(key.publicPoint)),
            DER.context(3, constructed: true, DER.element(0x30, extensions(issuerKey))))
    }

    private static func name(_ commonName: String) -> [UInt8] {
        DER.sequence(DER.set(DER.sequence(DER.identifier(2, 5, 4, 3), DER.utf8(commonName))))
    }

    /// RFC 5280 §4.2.1, and for the identifiers of keys RFC 7093 §2.
    private func extensions(_ issuerKey: P256Key) -> [UInt8] {
        let keyID = DER.identifier(2, 5, 29, 14)
        let issuerKeyID = DER.identifier(2, 5, 29, 35)
        let common =
            DER.sequence(keyID, DER.octets(DER.octets(key.identifier)))
            + DER.sequence(issuerKeyID, DER.octets(DER.sequence(DER.context(0, issuerKey.identifier))))
        let constraints = DER.identifier(2, 5, 29, 19)
        let usage = DER.identifier(2, 5, 29, 15)
        if isAuthority {
            return common
                + DER.sequence(constraints, DER.yes, DER.octets(DER.sequence(DER.yes, DER.integer([0]))))
                + DER.sequence(usage, DER.yes, DER.octets(DER.bits([0b0000_0110], unused: 1)))  // sign others
        }
        let serverAuthentication = DER.identifier(1, 3, 6, 1, 5, 5, 7, 3, 1)
        return common
            + DER.sequence(constraints, DER.yes, DER.octets(DER.sequence()))
            + DER.sequence(usage, DER.yes, DER.octets(DER.bits([0b1000_0000], unused: 7)))  // sign handshakes
            + DER.sequence(DER.identifier(2, 5, 29, 37), DER.octets(DER.sequence(serverAuthentication)))
            + DER.sequence(DER.identifier(2, 5, 29, 17), DER.octets(DER.element(0x30, names.flatMap(Self.alternative))))
    }

    /// A host name or an IP address, RFC 5280 §4.2.1.6.
    private static func alternative(_ name: String) -> [UInt8] {
        IPAddress.bytes(of: name).map { DER.context(7, $0) } ?? DER.context(2, Array(name.utf8))
    }
}
