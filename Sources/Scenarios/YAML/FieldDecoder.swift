import Documents

/// The syntax of a key's value, as a function that reads it.
///
/// A decoder that returns nil has noted a problem. So a value is nil only if its key is absent or a problem is noted.
struct FieldDecoder<Value> {
    /// The expected form, for messages: "a rate such as 780 kbit/s".
    let expected: String
    /// The schema of the value; see ``SchemaNode``.
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
    /// A text has up to `longest` bytes (default: 4096), so that `parse` is fast, and no NUL, which ends the system's
    /// strings. `parse` reports all other problems. `pattern` is for the schema: it matches every text that `parse`
    /// accepts.
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
                return problems.refuse("'\(text.abbreviated)' \(reason)", at: node.mark)
            }
            switch parse(text) {
            case .value(let value): return value
            case .wrong(let message, let hint):
                return problems.refuse(message, at: node.mark, hint: hint)
            }
        }
    }
}

/// The result of reading a text.
enum Reading<Value> {
    case value(Value)
    case wrong(String, hint: String?)

    /// The usual message: "'soon' is not a number of attempts".
    static func wrong(_ text: String, not expected: String, hint: String? = nil) -> Reading {
        .wrong("'\(text.abbreviated)' is not \(expected)", hint: hint)
    }
}
