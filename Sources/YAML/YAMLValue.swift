package import Documents

/// A value of a YAML document and its place.
///
/// The code that reads it gives it a meaning.
package struct YAMLValue: Sendable {
    package enum Content: Sendable {
        /// A scalar; `isPlain` if it has no quotes and is no block.
        case text(String, isPlain: Bool)
        case list([YAMLValue])
        /// A key can be any value, and can occur more than once.
        case mapping([(key: YAMLValue, value: YAMLValue)])
    }

    package let mark: Mark
    package let content: Content
    /// Whether it has a tag other than the one of strings.
    package let hasTag: Bool

    /// The most levels of nesting around a value or a key.
    ///
    /// Each level takes stack when it is read.
    package static let deepest = 24

    /// The root of the only document in a text; nil if there is none.
    ///
    /// The text must not contain the private characters of ``YAMLEvents``. Throws if the text is not one YAML document.
    package static func root(of text: some Sequence<Unicode.Scalar>) throws(YAMLError) -> YAMLValue? {
        var events = YAMLEvents(text)
        // The stream begins, and then a document, unless the stream ends.
        _ = try events.next()
        if case .streamEnd = try events.next().kind { return nil }
        let root = try events.value(depth: 0)
        // The document ends.
        _ = try events.next()
        let last = try events.next()
        guard case .streamEnd = last.kind else { throw .anotherDocument(at: last.mark) }
        return root
    }
}

extension YAMLEvents {
    /// The next value; nil at the end of the list or mapping.
    fileprivate mutating func value(depth: Int) throws(YAMLError) -> YAMLValue? {
        let event = try next()
        let content: YAMLValue.Content
        switch event.kind {
        case .boundary, .streamEnd: return nil
        case _ where depth > YAMLValue.deepest: throw .tooDeep(at: event.mark)
        case .text(let text, let isPlain): content = .text(text, isPlain: isPlain)
        case .list:
            var items: [YAMLValue] = []
            while let item = try value(depth: depth + 1) { items.append(item) }
            content = .list(items)
        case .mapping:
            var entries: [(key: YAMLValue, value: YAMLValue)] = []
            while let key = try value(depth: depth + 1), let value = try value(depth: depth + 1) {
                entries.append((key, value))
            }
            content = .mapping(entries)
        }
        return YAMLValue(mark: event.mark, content: content, hasTag: event.hasTag)
    }
}
