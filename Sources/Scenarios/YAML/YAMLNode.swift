import Documents
import Wording

/// A part of a YAML file: a text, a list or a mapping, with its place.
///
/// Texts stay texts. The reader of a key decides whether `no`, `0755` or `1e3` is a flag, a number or a name.
struct YAMLNode: Hashable, Sendable {
    indirect enum Content: Hashable, Sendable {
        /// A scalar; if the file contains it literally, it begins `inset` columns after its mark; otherwise `inset` is
        /// nil.
        case text(String, inset: Int?)
        case list([YAMLNode])
        case mapping([Entry])
        /// A key without a value.
        case nothing
    }

    /// A key and its value.
    ///
    /// Keys of a mapping are distinct.
    struct Entry: Hashable, Sendable {
        let key: String
        let keyMark: Mark
        var value: YAMLNode

        /// The entry with another value.
        func having(_ value: YAMLNode) -> Entry { Entry(key: key, keyMark: keyMark, value: value) }
    }

    let mark: Mark
    var content: Content

    var isList: Bool { if case .list = content { true } else { false } }
    var isMapping: Bool { if case .mapping = content { true } else { false } }

    /// A description of the node for messages.
    var kind: String {
        switch content {
        case .text(let text, _): "'\(text.abbreviated)'"
        case .list: "a list"
        case .mapping: "a mapping"
        case .nothing: "nothing"
        }
    }

    /// The place of the character at `offset`, from 0, in a text; the text's own place if it is unknown.
    func mark(ofCharacter offset: Int) -> Mark {
        guard case .text(let text, let inset?) = content else { return mark }
        return Mark(line: mark.line, column: mark.column + inset + text.prefix(offset).unicodeScalars.count)
    }

    /// The hint for a placeholder without quotes, which YAML takes for a mapping: `{proxy}`; nil for any other node.
    var placeholderHint: String? {
        guard case .mapping(let entries) = content, entries.count == 1, case .nothing = entries[0].value.content,
            let name = NearestName.of(entries[0].key, in: Placeholder.allCases.map(\.rawValue))
        else { return nil }
        return "write \"{\(name)}\", in quotes"
    }

    /// The node in flow style, without quotes; nodes with the same meaning have the same text.
    var flowText: String { flow { $0 } }

    /// The node in flow style; `scalar` writes its texts and keys.
    func flow(_ scalar: (String) -> String) -> String {
        switch content {
        case .text(let text, _): scalar(text)
        case .nothing: ""
        case .list(let items): "[\(items.map { $0.flow(scalar) }.joined(separator: ", "))]"
        case .mapping(let entries):
            "{\(entries.map { "\(scalar($0.key)): \($0.value.flow(scalar))" }.joined(separator: ", "))}"
        }
    }

    /// The value of `key`; nil if this is not a mapping, or has no such key.
    subscript(key: String) -> YAMLNode? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.key == key }?.value
    }
}

extension String {
    /// At most 40 characters on one line, for messages.
    var abbreviated: String {
        let line = prefix { !$0.isNewline }
        return line.count == count && count <= 40 ? self : "\(line.prefix(39))…"
    }
}
