/// Where a text stops being JSON (RFC 8259), which decoders do not say.
struct JSONSyntax {
    /// A line and a column, both from 1; the column counts bytes.
    struct Place: Hashable {
        var line: Int
        var column: Int
    }

    private var bytes: ArraySlice<UInt8>
    /// More open lists and objects than this are not looked into.
    private static let deepest = 200

    /// The first place at which `json` is none; nil where it is JSON throughout.
    static func fault(in json: some Sequence<UInt8>) -> Place? {
        let all = Array(json)
        var syntax = JSONSyntax(bytes: all[...])
        if syntax.value(depth: 0), syntax.peek() == nil { return nil }
        let before = all[..<min(syntax.bytes.startIndex, all.endIndex)]
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return Place(line: line, column: before.endIndex - start + 1)
    }

    /// The next byte that is no blank.
    private mutating func peek() -> UInt8? {
        bytes = bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return bytes.first
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        bytes.removeFirst()
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        guard depth < Self.deepest else { return false }
        switch peek() {
        case UInt8(ascii: "{"): return list("{", "}", depth) { $0.text() && $0.take(":") && $0.value(depth: depth + 1) }
        case UInt8(ascii: "["): return list("[", "]", depth) { $0.value(depth: depth + 1) }
        case UInt8(ascii: "\""): return text()
        default: return word()
        }
    }

    private mutating func list(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ depth: Int, _ element: (inout Self) -> Bool
    ) -> Bool {
        guard take(open) else { return false }
        if take(close) { return true }
        repeat {
            guard element(&self) else { return false }
        } while take(",")
        return take(close)
    }

    private mutating func text() -> Bool {
        guard take("\"") else { return false }
        while let byte = bytes.first, byte >= 0x20 {
            bytes.removeFirst()
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\"), !escape() { return false }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard let byte = bytes.first, "\"\\/bfnrtu".utf8.contains(byte) else { return false }
        let length = byte == UInt8(ascii: "u") ? 5 : 1
        let digits = bytes.prefix(length).dropFirst()
        guard digits.count == length - 1, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else {
            return false
        }
        bytes = bytes.dropFirst(length)
        return true
    }

    /// A number, `true`, `false` or `null`.
    private mutating func word() -> Bool {
        let word = bytes.prefix {
            ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0)
        }
        let text = String(decoding: word, as: UTF8.self)
        let isNumber = word.first.map { $0 == 0x2D || (0x30...0x39).contains($0) } ?? false
        guard ["true", "false", "null"].contains(text) || (isNumber && Double(text) != nil) else { return false }
        bytes = bytes[word.endIndex...]
        return true
    }
}
