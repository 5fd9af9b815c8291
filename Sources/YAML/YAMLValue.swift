package import Documents

/// A value of a YAML document and its place.
///
/// What it means is for its reader to say.
package struct YAMLValue: Sendable {
    package enum Content: Sendable {
        /// A scalar; `isPlain` where it has no quotes and is no block.
        case text(String, isPlain: Bool)
        case list([YAMLValue])
        /// A key can be any value, and can be there more than once.
        case mapping([(key: YAMLValue, value: YAMLValue)])
    }

    package let mark: Mark
    package let content: Content
    /// Whether a tag stands before it, other than the one that says that a text is a text.
    package let hasTag: Bool

    /// So many levels can be around a value, or around a key.
    ///
    /// Reading takes stack for each level.
    package static let deepest = 24

    /// The root of the only document in a text; nil where there is none.
    ///
    /// The text holds no private characters: see ``YAMLEvents``.
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
    /// The next value; nil where the list or mapping ends.
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
