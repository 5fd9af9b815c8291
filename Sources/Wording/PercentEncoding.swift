/// Percent encoding (RFC 3986 §2.1).
package enum PercentEncoding {
    /// The unreserved characters of RFC 3986 §2.3.
    package static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    /// The text with every byte except those of `plain` as `%` and two hex digits.
    ///
    /// `plain` is ``unreserved`` by default; the letters of the digits are capitals unless `uppercase` is false.
    package static func encoded(
        _ text: String, except plain: Set<UInt8> = unreserved, uppercase: Bool = true
    ) -> String {
        text.utf8.map { byte in
            if plain.contains(byte) { return String(UnicodeScalar(byte)) }
            return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: uppercase)
        }.joined()
    }

    /// The bytes of a text with every escape decoded once; invalid escapes stay.
    package static func bytes(of text: some StringProtocol) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), beginsWithDigits(rest),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// The text with every escape decoded once; nil if the result is not UTF-8.
    package static func decoded(_ text: String) -> String? { String(validating: bytes(of: text), as: UTF8.self) }

    /// Whether two hex digits follow every `%`.
    package static func isSound(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        return parts.dropFirst().allSatisfy { beginsWithDigits($0) }
    }

    private static func beginsWithDigits(_ rest: some Collection<UInt8>) -> Bool {
        rest.prefix(2).count { Character(UnicodeScalar($0)).isHexDigit } == 2
    }
}
