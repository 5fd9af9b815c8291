import Documents

extension YAMLNode {
    /// A node that is not from a file.
    static func made(_ content: Content) -> YAMLNode { YAMLNode(mark: .start, content: content) }

    static func made(_ text: String) -> YAMLNode { made(.text(text, inset: nil)) }

    /// The YAML form of a JSON tree.
    static func made(_ notation: JSONTree) -> YAMLNode {
        switch notation {
        case .text(let text): made(text)
        case .integer, .number, .flag: made(notation.line)
        case .null: made(.nothing)
        case .list(let items): made(.list(items.map(made)))
        case .object(let members):
            made(.mapping(members.map { Entry(key: $0.key, keyMark: .start, value: made($0.value)) }))
        }
    }

    /// A mapping of these keys; keys with the value nil are left out.
    static func made(_ entries: [(String, YAMLNode?)]) -> YAMLNode {
        made(
            .mapping(
                entries.compactMap { key, value in
                    value.map { Entry(key: key, keyMark: .start, value: $0) }
                }))
    }
}

extension YAMLNode {
    /// A text that reads back as this tree: one key of a mapping a line, lists of texts on one line, and quotes around
    /// texts that need them.
    var text: String {
        guard case .mapping(let entries) = content, !entries.isEmpty else { return flow(Self.scalar) + "\n" }
        return Self.lines(of: entries, indent: "")
    }

    private static func lines(of entries: [Entry], indent: String) -> String {
        entries.map { entry in
            let head = "\(indent)\(scalar(entry.key)):"
            switch entry.value.content {
            case .mapping(let inner) where !inner.isEmpty: return "\(head)\n\(lines(of: inner, indent: indent + "  "))"
            case .list(let items) where items.contains { if case .mapping = $0.content { true } else { false } }:
                return "\(head)\n" + items.map { "\(indent)  - \($0.flow(scalar))\n" }.joined()
            case .nothing: return "\(head)\n"
            default: return "\(head) \(entry.value.flow(scalar))\n"
            }
        }.joined()
    }

    /// A text without quotes if YAML reads it back unchanged, with quotes otherwise.
    private static func scalar(_ text: String) -> String {
        let isPlain =
            text.utf8.allSatisfy { UInt8.asciiAlphanumerics.contains($0) || " ./_-+%<=".utf8.contains($0) }
            && text.utf8.first.map { UInt8.asciiAlphanumerics.contains($0) || $0 == UInt8(ascii: ".") } == true
            && text.last != " " && text != "..."
        guard !isPlain else { return text }
        let quoted = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\n": "\\n"
            case "\t": "\\t"
            case "\r": "\\r"
            default: YAMLText.isForbidden(scalar) ? escaped(scalar) : "\(scalar)"
            }
        }
        return "\"\(quoted.joined())\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}
