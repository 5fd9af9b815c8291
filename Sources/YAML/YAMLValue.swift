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
    /// The text must not contain the private characters of ``YAMLParser``. Throws if the text is not one YAML document.
    package static func root(of text: some Sequence<Unicode.Scalar>) throws(YAMLError) -> YAMLValue? {
        var parser = YAMLParser(text)
        // The stream begins, and then a document, unless the stream ends.
        _ = try parser.boundary()
        guard try !parser.boundary().isEnd else { return nil }
        let root = try parser.value()
        // The document ends.
        _ = try parser.boundary()
        let (isEnd, mark) = try parser.boundary()
        guard isEnd else { throw .anotherDocument(at: mark) }
        return root
    }
}

/// Why a text is not one YAML document.
package enum YAMLError: Error {
    /// It is not YAML; `context` is the part that libyaml was parsing, and where that begins.
    case syntax(String, at: Mark, context: (text: String, mark: Mark)?)
    /// A second document begins.
    case anotherDocument(at: Mark)
    /// This place is nested more than ``YAMLValue/deepest`` levels deep.
    case tooDeep(at: Mark)
}
