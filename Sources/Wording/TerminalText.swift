/// Text that a terminal shows without obeying commands in it.
///
/// A literal is used unchanged, and so is another `TerminalText`. Any other value may be from outside, and is put on
/// one line: see ``Swift/String/onOneLine``. So a name of a file, a host or a pack cannot be printed without escaping.
package struct TerminalText: Hashable, Sendable, CustomStringConvertible {
    /// The text to print, without a final line feed.
    package let description: String

    private init(_ description: String) { self.description = description }

    /// Texts from outside, one per line.
    package init(lines: some Sequence<String>) {
        description = lines.map(\.onOneLine).joined(separator: "\n")
    }

    /// A report of several lines, which has put each name on one line itself.
    ///
    /// Line feeds, tabs and colours (SGR of ECMA-48, 8.3.117) stay; any other character that a terminal may obey is
    /// escaped.
    package init(report: String) {
        description = report.escapingCommands(keepsLines: true)
    }

    /// JSON with JSON escapes (RFC 8259, 7) for characters that a terminal may obey; for programs it is equivalent.
    package init(json: String) {
        guard !json.isHarmless else {
            description = json
            return
        }
        var result = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            guard scalar.isCommand, scalar != "\n", scalar != "\t", scalar != "\r" else {
                result.append(scalar)
                continue
            }
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                let digits = String(unit, radix: 16)
                result.append(
                    contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
            }
        }
        description = String(result)
    }

    /// A document in another format, such as HTML, for a file or another program; it is not escaped.
    package init(document: String) { description = document }

    package static func + (left: Self, right: Self) -> Self { Self(left.description + right.description) }
}

extension TerminalText: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { description = value }

    package init(stringInterpolation: Interpolation) { description = stringInterpolation.text }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        package mutating func appendInterpolation(_ value: TerminalText) { text += value.description }

        package mutating func appendInterpolation<Value>(_ value: Value) { text += "\(value)".onOneLine }

        @available(*, unavailable, message: "unwrap it")
        package mutating func appendInterpolation<Value>(_ value: Value?) {}
    }
}

extension String {
    /// The text on one line.
    ///
    /// Each character that a terminal may obey, or that would end the line, becomes an escape such as `\u{1B}`.
    package var onOneLine: String { escapingCommands(keepsLines: false) }

    /// The text on one line, without controls and direction marks, and with a space for each line break or tab.
    package var singleLine: String {
        guard unicodeScalars.contains(where: { $0.isLineBreak || $0.isUnwelcome || $0 == "\t" }) else { return self }
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isLineBreak || scalar == "\t" {
                if result.last != " " { result.append(" ") }
            } else if !scalar.isUnwelcome {
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// The longest beginning with at most this many bytes of UTF-8; no scalar is cut.
    package func beginning(_ bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(startIndex, offsetBy: max(0, bytes))
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    /// Whether it has only printable ASCII characters and line feeds.
    fileprivate var isHarmless: Bool {
        utf8.allSatisfy { (0x20..<0x7F).contains($0) || $0 == UInt8(ascii: "\n") }
    }

    /// Escapes characters that a terminal may obey; `keepsLines` keeps line feeds and colours.
    fileprivate func escapingCommands(keepsLines: Bool) -> String {
        guard !isHarmless || (!keepsLines && utf8.contains(UInt8(ascii: "\n"))) else { return self }
        var result = String.UnicodeScalarView()
        var rest = unicodeScalars[...]
        while let scalar = rest.first {
            if keepsLines, let colour = rest.colour {
                result.append(contentsOf: colour)
                rest = rest[colour.endIndex...]
                continue
            }
            if !scalar.isCommand || scalar == "\t" || (keepsLines && scalar == "\n") {
                result.append(scalar)
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result.append(contentsOf: "\\u{\(digits)}".unicodeScalars)
            }
            rest = rest.dropFirst()
        }
        return String(result)
    }
}

extension Substring.UnicodeScalarView {
    /// The SGR sequence at the start; nil if there is none.
    fileprivate var colour: Self? {
        guard first == "\u{1B}" else { return nil }
        let digits = dropFirst(2).prefix { ("0"..."9").contains($0) || $0 == ";" }
        guard dropFirst().first == "[", digits.endIndex < endIndex, self[digits.endIndex] == "m" else { return nil }
        return self[...digits.endIndex]
    }
}

extension Unicode.Scalar {
    /// Whether a terminal may obey it, or reorder the text around it.
    ///
    /// These are controls (ECMA-48), ends of lines and paragraphs, and format characters except the joiner used in
    /// emoji.
    package var isCommand: Bool {
        guard value >= 0x80 else { return value < 0x20 || value == 0x7F }
        return switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: value != 0x200D
        default: false
        }
    }

    /// Whether it ends a line.
    fileprivate var isLineBreak: Bool {
        switch value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// Whether it controls a terminal or the direction of writing, and shows nothing.
    fileprivate var isUnwelcome: Bool { isCommand && self != "\n" && self != "\t" }
}
