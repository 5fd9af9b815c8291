/// A JSON value whose members keep their order: what schemas are made of.
package indirect enum JSONTree: Hashable, Sendable {
    case object([Member])
    case list([JSONTree])
    case text(String)
    case integer(UInt64)
    case negative(Int64)
    case flag(Bool)

    package struct Member: Hashable, Sendable {
        package var key: String
        package var value: JSONTree

        package init(key: String, value: JSONTree) {
            self.key = key
            self.value = value
        }
    }

    /// An object of these members, without those that have no value.
    package static func object(_ members: KeyValuePairs<String, JSONTree?>) -> JSONTree {
        .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }

    /// The value of a member; nil where this is no object, or has none of that name.
    package subscript(key: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The object with a member of this value, in its place or at the end; without the member where the value is nil.
    package func setting(_ key: String, _ value: JSONTree?) -> JSONTree {
        guard case .object(var members) = self else { return self }
        if let index = members.firstIndex(where: { $0.key == key }) {
            if let value { members[index].value = value } else { members.remove(at: index) }
        } else if let value {
            members.append(Member(key: key, value: value))
        }
        return .object(members)
    }

    /// A list of texts.
    package static func texts(_ texts: some Sequence<String>) -> JSONTree { .list(texts.map(JSONTree.text)) }

    /// The value as JSON, a member a line, short ones on one.
    package var json: String { text(indent: "") }

    private func text(indent: String) -> String {
        let short = flat
        guard short.utf8.count + indent.utf8.count > 110 else { return short }
        let inner = indent + "  "
        switch self {
        case .object(let members):
            let lines = members.map { "\(inner)\(Self.quoted($0.key)): \($0.value.text(indent: inner))" }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
        case .list(let items):
            return "[\n\(items.map { inner + $0.text(indent: inner) }.joined(separator: ",\n"))\n\(indent)]"
        default: return short
        }
    }

    private var flat: String {
        switch self {
        case .object(let members):
            "{" + members.map { "\(Self.quoted($0.key)): \($0.value.flat)" }.joined(separator: ", ") + "}"
        case .list(let items): "[" + items.map(\.flat).joined(separator: ", ") + "]"
        case .text(let text): Self.quoted(text)
        case .integer(let number): "\(number)"
        case .negative(let number): "\(number)"
        case .flag(let flag): flag ? "true" : "false"
        }
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20:
                result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
