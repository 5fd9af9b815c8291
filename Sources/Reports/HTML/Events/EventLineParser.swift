import Documents
import Results

/// Parses one line of `events.jsonl`.
///
/// A page needs a hundred thousand lines, for which JSONDecoder takes more than a second. A line of any other form is
/// not an event.
struct EventLineParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    /// The deepest nesting of values in an event.
    private static let mostLevels = 16

    /// The event; nil if the line is not an event of this version.
    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> TimelineEvent? {
        var parser = EventLineParser(bytes: bytes)
        return parser.line()
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func line() -> TimelineEvent? {
        guard case .object(let members)? = value(level: 0) else { return nil }
        var event = TimelineEvent(nanoseconds: 0, source: .harness, name: "")
        var (version, source): (Int128?, TimelineEvent.Source?)
        for member in members {
            switch (member.key, member.value) {
            case ("v", .integer(let number)): version = number
            case ("t", .integer(let number)): event.nanoseconds = Int64(clamping: number)
            case ("attempt", .integer(let number)): event.attempt = Int(clamping: number)
            case ("cell", .text(let text)): event.cell = text
            case ("source", .text(let text)): source = TimelineEvent.Source(rawValue: text)
            case ("event", .text(let text)): event.name = text
            case ("fields", .object(let fields)): event.fields = fields
            case ("fields", _): return nil
            default: break
            }
        }
        guard version == Int128(TimelineEvent.currentSchema), let source, !event.name.isEmpty else { return nil }
        event.source = source
        return event
    }

    private mutating func value(level: Int) -> JSONTree? {
        guard level < Self.mostLevels else { return nil }
        switch peek {
        case UInt8(ascii: "\""): return string().map(JSONTree.text)
        case UInt8(ascii: "{"): return members(level: level).map(JSONTree.object)
        case UInt8(ascii: "["): return items(level: level).map(JSONTree.list)
        case UInt8(ascii: "t"): return word("true") ? .flag(true) : nil
        case UInt8(ascii: "f"): return word("false") ? .flag(false) : nil
        case UInt8(ascii: "n"): return word("null") ? .null : nil
        default: return number()
        }
    }

    private mutating func members(level: Int) -> [JSONTree.Member]? {
        var members: [JSONTree.Member] = []
        guard take("{") else { return nil }
        if take("}") { return members }
        repeat {
            guard peek == UInt8(ascii: "\""), let key = string(), take(":"), let value = value(level: level + 1) else {
                return nil
            }
            members.append(.init(key: key, value: value))
        } while take(",")
        return take("}") ? members : nil
    }

    private mutating func items(level: Int) -> [JSONTree]? {
        var items: [JSONTree] = []
        guard take("[") else { return nil }
        if take("]") { return items }
        repeat {
            guard let item = value(level: level + 1) else { return nil }
            items.append(item)
        } while take(",")
        return take("]") ? items : nil
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

    private mutating func word(_ word: String) -> Bool {
        guard bytes[index...].starts(with: word.utf8) else { return false }
        index += word.utf8.count
        return true
    }

    private mutating func number() -> JSONTree? {
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
        if isWhole, !overflows { return .whole(isNegative ? -magnitude : magnitude) }
        return Double(text(start..<index)).map(JSONTree.number)
    }

    private mutating func string() -> String? {
        let start = index
        var hasEscapes = false
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") { (hasEscapes, index) = (true, index + 1) }
            index += 1
        }
        guard index < bytes.count else { return nil }
        index += 1
        return hasEscapes ? try? JSONReader.read(text(start..<index)).text() : text(start + 1..<index - 1)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
}
