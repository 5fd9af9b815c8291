/// Names in schedules: of connections, packs and profiles, each as one word.
enum ScheduleName {
    /// The most bytes of a name.
    static let longest = 4096

    /// The name in visible ASCII; all other bytes, `\` and `:` are written as `\x3a`.
    static func encoded(_ name: String) -> String {
        guard name.utf8.contains(where: { !isPlain($0) }) else { return name }
        var text = ""
        for byte in name.utf8 {
            if isPlain(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += escaped(byte)
            }
        }
        return text
    }

    /// Decodes a name; nil if an escape is wrong, or if the result is not UTF-8.
    static func decoded(_ text: some StringProtocol) -> String? {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 3, rest.popFirst() == UInt8(ascii: "x"),
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.first != UInt8(ascii: "+")
            else { return nil }
            rest = rest.dropFirst(2)
            bytes.append(code)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// A connection's name as one word: `3` for `#3`, the third accepted connection.
    static func connection(_ name: String) -> String {
        if let digits = ordinal(name) { return digits }
        guard let first = name.utf8.first else { return "-" }
        let isNumber = name.utf8.allSatisfy(isDigit)
        guard name == "*" || isNumber else { return encoded(name) }
        // A path is never `*` or a number, but other names may be; an escape tells them apart.
        return escaped(first) + encoded(String(name.dropFirst()))
    }

    /// The connection that a word names; nil if it is not a name.
    static func connection(named text: some StringProtocol) -> FaultSchedule.Connection? {
        if text == "*" { return .any }
        if !text.isEmpty, text.utf8.allSatisfy(isDigit) { return .named("#\(text)") }
        guard text.utf8.count <= longest, let name = decoded(text), !name.isEmpty else { return nil }
        return .named(name)
    }

    private static func ordinal(_ name: String) -> String? {
        guard name.hasPrefix("#"), name.utf8.count > 1, name.utf8.dropFirst().allSatisfy(isDigit) else { return nil }
        return String(name.dropFirst())
    }

    private static func escaped(_ byte: UInt8) -> String { "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: ":")
    }
}

/// Escapes of control characters, so that a text stays on one line.
enum ControlCharacters {
    /// Replaces each control character by an escape such as `\u{a}`.
    static func encoded(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var line = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                line += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    static func decoded(_ line: String) -> String {
        var text = ""
        var rest = Substring(line)
        while let start = rest.firstRange(of: "\\u{") {
            let code = rest[start.upperBound...].prefix { $0 != "}" }
            guard code.utf8.count <= 4, let value = UInt32(code, radix: 16), let scalar = Unicode.Scalar(value),
                isControl(scalar), code.endIndex < rest.endIndex
            else {
                text += rest[..<start.upperBound]
                rest = rest[start.upperBound...]
                continue
            }
            text += rest[..<start.lowerBound]
            text.unicodeScalars.append(scalar)
            rest = rest[rest.index(after: code.endIndex)...]
        }
        return text + rest
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
