internal import FoundationEssentials

/// A user and a password that clients of a proxy have to send (RFC 7617; RFC 1929 for SOCKS).
package struct ProxyCredentials: Sendable, Hashable {
    private let user: [UInt8]
    private let password: [UInt8]
    /// As the scheme Basic has them.
    private let token: [UInt8]

    /// RFC 1929 §2 has one byte for each length.
    private static let mostBytes = 255

    /// Reads `USER:PASSWORD`; throws what is wrong, without the password.
    package init(parsing text: String) throws(ProxyCredentialsError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { Array($0.utf8) }
        guard parts.count == 2, parts.allSatisfy({ (1...Self.mostBytes).contains($0.count) }),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { throw ProxyCredentialsError() }
        (user, password) = (parts[0], parts[1])
        token = Array(Data(text.utf8).base64EncodedString().utf8)
    }

    /// Whether a field's value has them in the scheme Basic.
    func match(basic value: String) -> Bool {
        let words = value.split(separator: " ")
        return words.count == 2 && words[0].lowercased() == "basic" && token.equalInConstantTime(words[1].utf8)
    }

    func match(user: [UInt8], password: [UInt8]) -> Bool {
        // Both are compared, so that the time does not tell which of them is wrong.
        let (isUser, isPassword) = (
            self.user.equalInConstantTime(user), self.password.equalInConstantTime(password)
        )
        return isUser && isPassword
    }
}

/// Why a text is not ``ProxyCredentials``.
package struct ProxyCredentialsError: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String {
        "a user and a password have 1 to 255 bytes each, with a colon between them and without control characters. "
            + "Write for example phone:secret."
    }
}

extension [UInt8] {
    /// Whether it is a secret that was sent: how long that takes does not tell how much of it is right.
    func equalInConstantTime(_ sent: some Collection<UInt8>) -> Bool {
        guard sent.count == count else { return false }
        return zip(sent, self).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
