internal import FoundationEssentials

/// A user and a password that clients of a proxy must send (RFC 7617; RFC 1929 for SOCKS).
package struct ProxyCredentials: Sendable, Hashable {
    private let user: [UInt8]
    private let password: [UInt8]
    /// User and password in the encoding of the scheme Basic.
    private let token: [UInt8]

    /// The most bytes of each: RFC 1929 §2 has one byte for a length.
    private static let mostBytes = 255

    /// Reads `USER:PASSWORD`; throws ``ProxyCredentialsError``, without the password, if the text has another form.
    package init(parsing text: String) throws(ProxyCredentialsError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { Array($0.utf8) }
        guard parts.count == 2, parts.allSatisfy({ (1...Self.mostBytes).contains($0.count) }),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { throw ProxyCredentialsError() }
        (user, password) = (parts[0], parts[1])
        token = Array(Data(text.utf8).base64EncodedString().utf8)
    }

    /// Whether a field's value has these credentials in the scheme Basic.
    func match(basic value: String) -> Bool {
        let words = value.split(separator: " ")
        return words.count == 2 && words[0].lowercased() == "basic" && token.equalInConstantTime(words[1].utf8)
    }

    func match(user: [UInt8], password: [UInt8]) -> Bool {
        // Both are compared, so that the time does not reveal which of them is wrong.
        let (isUser, isPassword) = (
            self.user.equalInConstantTime(user), self.password.equalInConstantTime(password)
        )
        return isUser && isPassword
    }
}

/// The reason why a text is not ``ProxyCredentials``.
package struct ProxyCredentialsError: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String {
        "a user and a password have 1 to 255 bytes each, with a colon between them and without control characters. "
            + "Write for example phone:secret."
    }
}

extension [UInt8] {
    /// Whether it equals a secret that was sent; the time that this takes does not reveal how much is right.
    func equalInConstantTime(_ sent: some Collection<UInt8>) -> Bool {
        guard sent.count == count else { return false }
        return zip(sent, self).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
