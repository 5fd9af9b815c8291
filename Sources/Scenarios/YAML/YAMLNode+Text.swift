import Documents

extension YAMLNode {
    /// A text that reads back as this tree, one key a line.
    var text: String {
        var writer = YAMLWriter()
        writer.write(self)
        return writer.text
    }

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

/// Writes a tree: one key of a mapping a line, lists of texts on one line, and quotes around texts that need them.
private struct YAMLWriter {
    private(set) var text = ""

    mutating func write(_ root: YAMLNode) {
        guard case .mapping(let entries) = root.content, !entries.isEmpty else {
            text += Self.flow(root) + "\n"
            return
        }
        mapping(entries, indent: 0)
    }

    private mutating func mapping(_ entries: [YAMLNode.Entry], indent: Int) {
        for entry in entries {
            text += String(repeating: " ", count: indent) + Self.scalar(entry.key) + ":"
            value(entry.value, indent: indent)
        }
    }

    private mutating func value(_ node: YAMLNode, indent: Int) {
        switch node.content {
        case .mapping(let entries) where !entries.isEmpty:
            text += "\n"
            mapping(entries, indent: indent + 2)
        case .list(let items) where items.contains { if case .mapping = $0.content { true } else { false } }:
            text += "\n"
            for item in items { text += String(repeating: " ", count: indent + 2) + "- \(Self.flow(item))\n" }
        case .nothing: text += "\n"
        default: text += " \(Self.flow(node))\n"
        }
    }

    private static func flow(_ node: YAMLNode) -> String {
        switch node.content {
        case .text(let text, _): scalar(text)
        case .nothing: ""
        case .list(let items): "[\(items.map(flow).joined(separator: ", "))]"
        case .mapping(let entries):
            "{\(entries.map { "\(scalar($0.key)): \(flow($0.value))" }.joined(separator: ", "))}"
        }
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
