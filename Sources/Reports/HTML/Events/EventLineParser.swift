import Results

/// A line of `events.jsonl`, read for a page.
struct EventLine {
    var nanoseconds: Int64 = 0
    var cell: String?
    var attempt: Int?
    var source = ""
    var name = ""
    var fields: [(name: String, value: FieldValue)] = []

    subscript(_ name: String) -> FieldValue? { fields.first { $0.name == name }?.value }

    /// A whole number, whatever form it has.
    func integer(_ name: String) -> Int64? {
        switch self[name] {
        case .integer(let value): value
        case .number(let value): Int64(exactly: value.rounded())
        default: nil
        }
    }

    func text(_ name: String) -> String? {
        if case .text(let text) = self[name] { text } else { nil }
    }
}

/// Reads one line of `events.jsonl`: an object whose members are texts and numbers, and an object of such in `fields`.
///
/// A hundred thousand lines are read for a page, which JSONDecoder takes a second and more for. What is not of that form is
/// no event.
struct EventLineParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    /// nil where it is no event of this version.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> EventLine? {
        var parser = EventLineParser(bytes: bytes)
        return parser.line()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func line() -> EventLine? {
        var event = EventLine()
        var version: Int64?
        guard
            members({ parser, key in
                switch key {
                case "fields":
                    return parser.members { parser, key in
                        guard let value = parser.value() else { return false }
                        event.fields.append((key, value))
                        return true
                    }
                default:
                    guard let value = parser.value() else { return false }
                    Self.set(key, value, &event, &version)
                    return true
                }
            }), version == Int64(TimelineEvent.currentSchema), !event.name.isEmpty
        else { return nil }
        return event
    }

    private static func set(_ key: String, _ value: FieldValue, _ event: inout EventLine, _ version: inout Int64?) {
        switch (key, value) {
        case ("v", .integer(let number)): version = number
        case ("t", .integer(let number)): event.nanoseconds = number
        case ("attempt", .integer(let number)): event.attempt = Int(number)
        case ("cell", .text(let text)): event.cell = text
        case ("source", .text(let text)): event.source = text
        case ("event", .text(let text)): event.name = text
        default: break
        }
    }

    /// Reads an object, and asks for each member's value to be read.
    private mutating func members(_ body: (inout EventLineParser, String) -> Bool) -> Bool {
        guard take("{") else { return false }
        if take("}") { return true }
        repeat {
            guard peek == UInt8(ascii: "\""), let key = string(), take(":"), body(&self, key) else { return false }
        } while take(",")
        return take("}")
    }

    private mutating func value() -> FieldValue? {
        switch peek {
        case UInt8(ascii: "\""): return string().map(FieldValue.text)
        case UInt8(ascii: "t"): return word("true") ? .flag(true) : nil
        case UInt8(ascii: "f"): return word("false") ? .flag(false) : nil
        case UInt8(ascii: "n"): return word("null") ? .unknown : nil
        default: return number()
        }
    }

    private var peek: UInt8? {
        mutating get {
            while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
            return index < bytes.count ? bytes[index] : nil
        }
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    private mutating func word(_ word: StaticString) -> Bool {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[index..<end].elementsEqual(word.withUTF8Buffer { Array($0) }) else {
            return false
        }
        index = end
        return true
    }

    private mutating func number() -> FieldValue? {
        let start = index
        var isWhole = true
        var magnitude: Int64 = 0
        var overflows = false
        let isNegative = index < bytes.count && bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x30, byte <= 0x39 {
                let (product, over) = magnitude.multipliedReportingOverflow(by: 10)
                let (sum, above) = product.addingReportingOverflow(Int64(byte - 0x30))
                (magnitude, overflows) = (sum, overflows || over || above)
            } else if [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte) {
                isWhole = false
            } else {
                break
            }
            index += 1
        }
        guard index > start + (isNegative ? 1 : 0) else { return nil }
        if isWhole, !overflows { return .integer(isNegative ? -magnitude : magnitude) }
        return Double(String(decoding: bytes[start..<index], as: UTF8.self)).map(FieldValue.number)
    }

    private mutating func string() -> String? {
        index += 1
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") { index += 1 }
        guard index < bytes.count else { return nil }
        if bytes[index] == UInt8(ascii: "\"") {
            defer { index += 1 }
            return String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
        }
        return escapedString(Array(bytes[start..<index]))
    }

    private mutating func escapedString(_ begun: [UInt8]) -> String? {
        var text = begun
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard index < bytes.count else { return nil }
            let escape = bytes[index]
            index += 1
            switch escape {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "u"):
                guard let scalar = escapedScalar() else { return nil }
                text.append(contentsOf: String(scalar).utf8)
            default: text.append(escape)
            }
        }
        return nil
    }

    /// What `\uXXXX`, or two of them, stand for.
    private mutating func escapedScalar() -> Unicode.Scalar? {
        guard let first = hexadecimal() else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else {
            return "\u{FFFD}"
        }
        index += 2
        guard let second = hexadecimal(), (0xDC00..<0xE000).contains(second) else { return "\u{FFFD}" }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private mutating func hexadecimal() -> UInt32? {
        guard index + 4 <= bytes.count else { return nil }
        defer { index += 4 }
        return UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
    }
}
