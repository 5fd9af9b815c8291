import PackFormat

/// Reads JSON (RFC 8259) strictly: a key that stands twice is an error, and so is what follows the value.
package struct JSONReader {
    private static let mostLevels = 16

    private var rest: Substring.UnicodeScalarView
    private var place = JSONNode.Place()

    /// Reads a text; throws with the line and the column of what is wrong.
    package static func read(_ text: String) throws(JSONProblem) -> JSONNode {
        var reader = JSONReader(rest: Substring(text).unicodeScalars)
        let node = try reader.value(level: 0)
        reader.skipSpace()
        guard reader.rest.isEmpty else { throw reader.problem("there should be nothing more") }
        return node
    }

    private init(rest: Substring.UnicodeScalarView) {
        self.rest = rest
    }

    private mutating func value(level: Int) throws(JSONProblem) -> JSONNode {
        skipSpace()
        guard level < Self.mostLevels else { throw problem("there are more than \(Self.mostLevels) levels") }
        let start = place
        switch rest.first {
        case "{": return JSONNode(content: .object(try members(level: level)), place: start)
        case "[": return JSONNode(content: .array(try elements(level: level)), place: start)
        case "\"": return JSONNode(content: .string(try string()), place: start)
        default: return JSONNode(content: .literal(try literal()), place: start)
        }
    }

    private mutating func members(level: Int) throws(JSONProblem) -> [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        var keys = NameLedger()
        next()
        skipSpace()
        if take("}") { return members }
        while true {
            skipSpace()
            let start = place
            guard rest.first == "\"" else { throw problem("there should be a key in double quotes") }
            let key = try string()
            switch keys.enter(key) {
            case .new: break
            case .again:
                throw JSONProblem(place: start, reason: "the key \"\(Self.shown(key))\" stands here a second time")
            case .twin(let twin): throw JSONProblem(place: start, reason: "the keys \(NameLedger.reason(key, twin))")
            }
            skipSpace()
            guard take(":") else { throw problem("there should be a ':' after the key \"\(Self.shown(key))\"") }
            members.append(JSONNode.Member(key: key, place: start, value: try value(level: level + 1)))
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
            elements.append(try value(level: level + 1))
            skipSpace()
            if take("]") { return elements }
            guard take(",") else { throw problem("there should be a ',' or a ']'") }
        }
    }

    private mutating func string() throws(JSONProblem) -> String {
        let start = place
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
        throw JSONProblem(place: start, reason: "the string that begins here has no end on its line")
    }

    private mutating func escape() throws(JSONProblem) -> Unicode.Scalar {
        let plain: [Unicode.Scalar: Unicode.Scalar] = [
            "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
        ]
        next()
        if let scalar = rest.first, let meant = plain[scalar] {
            next()
            return meant
        }
        guard take("u"), let unit = hexDigits() else { throw problem("there is no such escape in JSON") }
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
        let start = place
        var text = String.UnicodeScalarView()
        while let scalar = rest.first, scalar.properties.isAlphabetic || "+-.0123456789".unicodeScalars.contains(scalar)
        {
            text.append(scalar)
            next()
        }
        let word = String(text)
        guard ["true", "false", "null"].contains(word) || Double(word) != nil else {
            guard !word.isEmpty else { throw problem("there should be a value") }
            throw JSONProblem(place: start, reason: "there should be a value, and '\(Self.shown(word))' is none")
        }
        return word
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
        if scalar == "\n" {
            place = JSONNode.Place(line: place.line + 1, column: 1)
        } else {
            place.column += 1
        }
    }

    private static func shown(_ text: String) -> String { NameText.visible(String(text.prefix(40))) }

    private func problem(_ reason: String) -> JSONProblem {
        JSONProblem(place: place, reason: rest.isEmpty ? "the file ends here, and \(reason)" : reason)
    }
}
