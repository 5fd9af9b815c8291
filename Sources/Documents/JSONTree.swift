/// A JSON value whose members keep their order, for events, the notation of links, and schemas.
package enum JSONTree: Hashable, Sendable {
    case object([Member])
    case list([JSONTree])
    case text(String)
    case integer(Int128)
    case number(Double)
    case flag(Bool)
    case null

    package struct Member: Hashable, Sendable {
        package var key: String
        package var value: JSONTree

        package init(key: String, value: JSONTree) {
            self.key = key
            self.value = value
        }
    }

    /// An object of these members, without those whose value is nil.
    package static func object(_ members: KeyValuePairs<String, JSONTree?>) -> JSONTree {
        .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }

    /// The members of an object; empty for any other value.
    package var members: [Member] { if case .object(let members) = self { members } else { [] } }

    /// The value of a member; nil if there is none, or if this is not an object.
    package subscript(key: String) -> JSONTree? { members.first { $0.key == key }?.value }

    /// The object with the member set, in its place or at the end; if the value is nil, without the member.
    ///
    /// Any other value stays unchanged.
    package func setting(_ key: String, _ value: JSONTree?) -> JSONTree {
        guard case .object(var members) = self else { return self }
        if let index = members.firstIndex(where: { $0.key == key }) {
            if let value { members[index].value = value } else { members.remove(at: index) }
        } else if let value {
            members.append(Member(key: key, value: value))
        }
        return .object(members)
    }

    /// A whole number of any type.
    package static func whole(_ number: some BinaryInteger) -> JSONTree { .integer(Int128(clamping: number)) }

    /// The value as a number, whole or not; nil for any other value.
    package var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The value as a whole number, also if written as a decimal; nil for any other value.
    package var integer: Int128? {
        if case .integer(let integer) = self { integer } else { number.flatMap(Int128.init(exactly:)) }
    }

    /// A list of texts.
    package static func texts(_ texts: some Sequence<String>) -> JSONTree { .list(texts.map(JSONTree.text)) }

    /// The value as JSON (RFC 8259) on one line, without blanks.
    ///
    /// A number that is not finite becomes null.
    package var line: String { flat(colon: ":", comma: ",") }

    /// The value as JSON, one member or item per line; a value that fits in 110 bytes is on one line.
    package var json: String { text(indent: "") }

    private func text(indent: String) -> String {
        let short = flat(colon: ": ", comma: ", ")
        guard short.utf8.count + indent.utf8.count > 110 else { return short }
        let inner = indent + "  "
        switch self {
        case .object(let members):
            let lines = members.map { "\(inner)\($0.key.jsonQuoted): \($0.value.text(indent: inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .list(let items):
            return "[\n\(items.map { inner + $0.text(indent: inner) }.joined(separator: ",\n"))\n\(indent)]"
        default: return short
        }
    }

    private func flat(colon: String, comma: String) -> String {
        switch self {
        case .object(let members):
            "{"
                + members.map { $0.key.jsonQuoted + colon + $0.value.flat(colon: colon, comma: comma) }
                .joined(separator: comma) + "}"
        case .list(let items): "[" + items.map { $0.flat(colon: colon, comma: comma) }.joined(separator: comma) + "]"
        case .text(let text): text.jsonQuoted
        case .integer(let integer): "\(integer)"
        case .number(let number): number.isFinite ? "\(number)" : "null"
        case .flag(let flag): flag ? "true" : "false"
        case .null: "null"
        }
    }
}

extension String {
    /// The text as a JSON string, with its quotation marks (RFC 8259 §7).
    package var jsonQuoted: String {
        var result = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
