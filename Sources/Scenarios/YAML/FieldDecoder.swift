import Documents

/// How the value of a key is written, as a function that reads it.
///
/// A decoder that returns nil has noted a problem; so a value is nil only where its key is absent or a problem is noted.
struct FieldDecoder<Value> {
    /// What a value looks like, for messages: "a rate such as 780 kbit/s".
    let expected: String
    /// What a schema says of it; see ``SchemaNode``.
    let schema: () -> JSONTree
    let read: (YAMLNode, Problems) -> Value?

    init(
        _ expected: String, schema: (() -> JSONTree)? = nil, read: @escaping (YAMLNode, Problems) -> Value?
    ) {
        self.expected = expected
        self.schema = schema ?? { SchemaNode.anything(expected) }
        self.read = read
    }

    /// Reads scalars only.
    ///
    /// A text is short, as names and numbers are, so that `parse` has little to go through, and holds no NUL, at which
    /// the system's texts end. `parse` says what else is wrong with it. The schema has `pattern`, which no text lacks that
    /// `parse` takes.
    static func scalar(
        _ expected: String,
        upTo longest: Int = 4096,
        pattern: String? = nil,
        schema: (() -> JSONTree)? = nil,
        _ parse: @escaping (String) -> Reading<Value>
    ) -> FieldDecoder {
        FieldDecoder(expected, schema: schema ?? { SchemaNode.scalar(expected, pattern: pattern) }) { node, problems in
            guard case .text(let text, _) = node.content else {
                problems.add("found \(node.kind), expected \(expected)", at: node.mark, hint: node.placeholderHint)
                return nil
            }
            guard text.utf8.count <= longest, !text.utf8.contains(0) else {
                let reason = text.utf8.count > longest ? "is longer than \(longest) bytes" : "holds a NUL"
                problems.add("'\(text.abbreviated)' \(reason)", at: node.mark)
                return nil
            }
            switch parse(text) {
            case .value(let value): return value
            case .wrong(let message, let hint):
                problems.add(message, at: node.mark, hint: hint)
                return nil
            }
        }
    }
}

/// What reading a text came to.
enum Reading<Value> {
    case value(Value)
    case wrong(String, hint: String?)

    /// The usual sentence: "'soon' is not a number of attempts".
    static func wrong(_ text: String, not expected: String, hint: String? = nil) -> Reading {
        .wrong("'\(text.abbreviated)' is not \(expected)", hint: hint)
    }
}
