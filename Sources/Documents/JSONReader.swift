import Wording

/// Reads JSON (RFC 8259) strictly: duplicate keys, and text after the value, are errors.
package struct JSONReader {
    private let mostLevels: Int
    /// Whether values are kept, and duplicate keys reported.
    private let keepsValues: Bool
    private var rest: Substring.UnicodeScalarView
    private var mark = Mark.start

    /// Reads a text; throws an error with its line and column.
    package static func read(_ text: String) throws(JSONProblem) -> JSONNode {
        var reader = JSONReader(mostLevels: 16, keepsValues: true, rest: Substring(text).unicodeScalars)
        return try reader.document()
    }

    /// The first place where a text is not JSON, which decoders do not report; nil if it is JSON.
    ///
    /// Keeps nothing in memory, so that the text may be long.
    package static func fault(in text: String) -> Mark? {
        var reader = JSONReader(mostLevels: 200, keepsValues: false, rest: Substring(text).unicodeScalars)
        do {
            _ = try reader.document()
            return nil
        } catch { return error.mark }
    }

    private mutating func document() throws(JSONProblem) -> JSONNode {
        let node = try value(level: 0)
        skipSpace()
        guard rest.isEmpty else { throw problem("there should be nothing more") }
        return node
    }

    private mutating func value(level: Int) throws(JSONProblem) -> JSONNode {
        skipSpace()
        guard level < mostLevels else { throw problem("there are more than \(mostLevels) levels") }
        let start = mark
        switch rest.first {
        case "{": return JSONNode(content: .object(try members(level: level)), mark: start)
        case "[": return JSONNode(content: .array(try elements(level: level)), mark: start)
        case "\"": return JSONNode(content: .string(try string()), mark: start)
        default: return JSONNode(content: .literal(try literal()), mark: start)
        }
    }

    private mutating func members(level: Int) throws(JSONProblem) -> [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        // Compared by bytes: whether two Unicode normalisations are one key depends on the meaning of the file.
        var keys: Set<[UInt8]> = []
        next()
        skipSpace()
        if take("}") { return members }
        while true {
            skipSpace()
            let start = mark
            guard rest.first == "\"" else { throw problem("there should be a key in double quotes") }
            let key = try string()
            if keepsValues, !keys.insert(Array(key.utf8)).inserted {
                throw JSONProblem(start, "the key \"\(Self.shown(key))\" appears twice")
            }
            skipSpace()
            guard take(":") else { throw problem("there should be a ':' after the key \"\(Self.shown(key))\"") }
            let member = JSONNode.Member(key: key, mark: start, value: try value(level: level + 1))
            if keepsValues { members.append(member) }
            skipSpace()
            if take("}") { return members }
            guard take(",") else { throw problem("there should be a ',' or a '}'") }
        }
    }

    private mutating func elements(level: Int) throws(JSONProblem) -> [JSONNode] {
        var elements: [JSONNode] = []
        next()
        skipSpace()
        if take("]") { return elements }
        while true {
            let element = try value(level: level + 1)
            if keepsValues { elements.append(element) }
            skipSpace()
            if take("]") { return elements }
            guard take(",") else { throw problem("there should be a ',' or a ']'") }
        }
    }

    private mutating func string() throws(JSONProblem) -> String {
        let start = mark
        var text = String.UnicodeScalarView()
        next()
        while let scalar = rest.first {
            guard scalar.value >= 0x20 else { break }
            if take("\"") { return String(text) }
            if scalar == "\\" {
                text.append(try escape())
            } else {
                text.append(scalar)
                next()
            }
        }
        throw JSONProblem(start, "the string that begins here does not end on its line")
    }

    /// What stands behind the backslash of an escape, and what it means.
    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
    ]

    private mutating func escape() throws(JSONProblem) -> Unicode.Scalar {
        next()
        if let scalar = rest.first, let meant = Self.escapes[scalar] {
            next()
            return meant
        }
        guard take("u"), let unit = hexDigits() else { throw problem("JSON has no such escape") }
        guard 0xD800..<0xDC00 ~= unit else {
            guard let scalar = Unicode.Scalar(unit) else { throw problem("half of a surrogate pair") }
            return scalar
        }
        guard take("\\"), take("u"), let low = hexDigits(), 0xDC00..<0xE000 ~= low,
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        else { throw problem("half of a surrogate pair") }
        return scalar
    }

    private mutating func hexDigits() -> UInt32? {
        let digits = String(rest.prefix(4))
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else {
            return nil
        }
        for _ in 0..<4 { next() }
        return value
    }

    private mutating func literal() throws(JSONProblem) -> String {
        let start = mark
        var text = String.UnicodeScalarView()
        while let scalar = rest.first, scalar.properties.isAlphabetic || "+-.0123456789".unicodeScalars.contains(scalar)
        {
            text.append(scalar)
            next()
        }
        let word = String(text)
        guard ["true", "false", "null"].contains(word) || Self.isNumber(word) else {
            guard !word.isEmpty else { throw problem("there should be a value") }
            throw JSONProblem(start, "there should be a value, and '\(Self.shown(word))' is not one")
        }
        return word
    }

    /// RFC 8259 §6: no sign except `-`, no leading zero, and a digit on both sides of a point.
    private static func isNumber(_ word: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let unsigned = (word.hasPrefix("-") ? word.dropFirst() : word[...]).utf8
        let whole = unsigned.prefix { digits.contains($0) }
        let rest = unsigned[whole.endIndex...]
        let hasPoint = rest.first == UInt8(ascii: ".")
        return !whole.isEmpty && (whole.count == 1 || whole.first != UInt8(ascii: "0"))
            && !(hasPoint && rest.dropFirst().first.map(digits.contains) != true)
            && unsigned.last.map(digits.contains) == true
            && rest.allSatisfy { digits.contains($0) || "+-.eE".utf8.contains($0) } && Double(word) != nil
    }

    private mutating func skipSpace() {
        while let scalar = rest.first, [" ", "\n", "\r", "\t"].contains(scalar) { next() }
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        next()
        return true
    }

    private mutating func next() {
        guard let scalar = rest.popFirst() else { return }
        mark =
            scalar == "\n" ? Mark(line: mark.line + 1, column: 1) : Mark(line: mark.line, column: mark.column + 1)
    }

    private static func shown(_ text: String) -> String { String(text.prefix(40)).onOneLine }

    private func problem(_ reason: String) -> JSONProblem {
        JSONProblem(mark, rest.isEmpty ? "the file ends here, and \(reason)" : reason)
    }
}
