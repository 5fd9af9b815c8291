/// Names as messages show them.
package enum NameText {
    /// `name` with everything that could be taken for something else as an escape: `caf\u{E9}`, `a\u{A}b`, `a\\b`.
    ///
    /// Two names that are not the same bytes never look the same so.
    package static func escaped(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            guard scalar.value >= 0x20, scalar.value < 0x7F else { return escape(scalar) }
            return scalar == "\\" ? "\\\\" : String(scalar)
        }.joined()
    }

    /// Bytes that may not be UTF-8, with those beyond ASCII as escapes: `caf\xE9`.
    package static func escaped(bytes: [UInt8]) -> String {
        if let name = String(validating: bytes, as: UTF8.self) { return escaped(name) }
        return bytes.map { byte in
            guard byte >= 0x80 else { return escaped(String(UnicodeScalar(byte))) }
            return "\\x" + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// `name` with escapes for what would move or end the line that it stands in, and for nothing else.
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
