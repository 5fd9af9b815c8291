/// Percent encoding (RFC 3986 §2.1) that keeps the characters that Xcode keeps in a pack's address.
package enum URLText {
    private static let plain = Set("+,-./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~".utf8)

    /// `text` with every other byte as `%` and two hex digits.
    package static func encoded(_ text: String) -> String {
        text.utf8.map { plain.contains($0) ? String(UnicodeScalar($0)) : "%" + hex($0) }.joined()
    }

    /// `text` with every escape decoded; invalid escapes stay, and so does a text that would not be UTF-8 afterwards.
    package static func decoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.count >= 2
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}
