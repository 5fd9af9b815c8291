/// Names as messages show them.
package enum NameText {
    /// `name` with escapes for backslashes and everything but visible ASCII and spaces: `caf\u{E9}`, `a\u{A}b`, `a\\b`.
    ///
    /// Two names with different bytes always look different.
    package static func escaped(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            guard scalar.value >= 0x20, scalar.value < 0x7F else { return escape(scalar) }
            return scalar == "\\" ? "\\\\" : String(scalar)
        }.joined()
    }

    /// Bytes that may not be UTF-8; if they are not, bytes beyond ASCII are escapes: `caf\xE9`.
    package static func escaped(bytes: [UInt8]) -> String {
        if let name = String(validating: bytes, as: UTF8.self) { return escaped(name) }
        return bytes.map { byte in
            guard byte >= 0x80 else { return escaped(String(UnicodeScalar(byte))) }
            return "\\x" + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// `name` with escapes only for characters that would move or end its line.
    package static func visible(_ name: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: text.append(contentsOf: escape(scalar).unicodeScalars)
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
}
