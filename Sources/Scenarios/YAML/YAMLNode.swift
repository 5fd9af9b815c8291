import Documents
import Wording

/// A part of a YAML file as this tool reads them: texts, lists and mappings, each with its place.
///
/// Texts stay texts. Whether `no`, `0755` or `1e3` is a flag, a number or a name is for the key that holds it to say.
struct YAMLNode: Hashable, Sendable {
    indirect enum Content: Hashable, Sendable {
        /// A scalar. Where it stands in the file as it reads, `inset` columns after its mark; else `inset` is nil.
        case text(String, inset: Int?)
        case list([YAMLNode])
        case mapping([Entry])
        /// A key with nothing behind it.
        case nothing
    }

    /// A key and its value.
    ///
    /// Keys of a mapping are distinct.
    struct Entry: Hashable, Sendable {
        let key: String
        let keyMark: Mark
        var value: YAMLNode
    }

    let mark: Mark
    var content: Content

    /// What this is, for messages.
    var kind: String {
        switch content {
        case .text(let text, _): "'\(text.abbreviated)'"
        case .list: "a list"
        case .mapping: "a mapping"
        case .nothing: "nothing"
        }
    }

    /// Where the character at `offset`, from 0, of a text is; the text's own place where that cannot be told.
    func mark(ofCharacter offset: Int) -> Mark {
        guard case .text(let text, let inset?) = content else { return mark }
        return Mark(line: mark.line, column: mark.column + inset + text.prefix(offset).unicodeScalars.count)
    }

    /// What to write where this is a placeholder without its quotes, which YAML takes for a mapping: `{proxy}`.
    var placeholderHint: String? {
        guard case .mapping(let entries) = content, entries.count == 1, case .nothing = entries[0].value.content,
            let name = NearestName.of(entries[0].key, in: Placeholder.allCases.map(\.rawValue))
        else { return nil }
        return "write \"{\(name)}\", in quotes"
    }

    /// The node in flow style, the same for nodes that mean the same.
    var flowText: String {
        switch content {
        case .text(let text, _): text
        case .nothing: ""
        case .list(let items): "[\(items.map(\.flowText).joined(separator: ", "))]"
        case .mapping(let entries):
            "{\(entries.map { "\($0.key): \($0.value.flowText)" }.joined(separator: ", "))}"
        }
    }

    /// The value of `key`, where this is a mapping that has it.
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
