import Wording

/// A value of a JSON document (RFC 8259), with its place for errors.
package struct JSONNode: Sendable {
    /// A key of an object with its value.
    package struct Member: Sendable {
        package let key: String
        package let mark: Mark
        package let value: JSONNode
    }

    package enum Content: Sendable {
        case object([Member])
        case array([JSONNode])
        case string(String)
        /// A number, a boolean or null, as written.
        case literal(String)
    }

    package let content: Content
    package let mark: Mark

    /// The kind of the value, for errors.
    package var kind: String {
        switch content {
        case .object: "an object"
        case .array: "an array"
        case .string(let text): "the string \"\(String(text.prefix(40)).onOneLine)\""
        case .literal(let text): String(text.prefix(40))
        }
    }
}

/// What is wrong in a JSON document, and where.
package struct JSONProblem: Error {
    package let mark: Mark
    package let reason: String

    package init(_ mark: Mark, _ reason: String) { (self.mark, self.reason) = (mark, reason) }
}

extension JSONNode {
    /// The members of an object; for any other value, throws an error that says what is `wanted`.
    package func members(_ wanted: String = "an object") throws(JSONProblem) -> [Member] {
        guard case .object(let members) = content else { throw wrong(wanted) }
        return members
    }

    /// The value of an object's key, or nil; throws if this is not an object.
    package func member(_ key: String) throws(JSONProblem) -> JSONNode? { try members().first { $0.key == key }?.value }

    /// The value of a required key; throws if this is not an object, or if the key is missing.
    package func required(_ key: String) throws(JSONProblem) -> JSONNode {
        guard let value = try member(key) else { throw JSONProblem(mark, "the key \"\(key)\" is missing") }
        return value
    }

    /// The elements of an array; for any other value, throws an error that says what is `wanted`.
    package func elements(_ wanted: String = "an array") throws(JSONProblem) -> [JSONNode] {
        guard case .array(let elements) = content else { throw wrong(wanted) }
        return elements
    }

    /// The text of a string; throws for any other value.
    package func text() throws(JSONProblem) -> String {
        guard case .string(let text) = content else { throw wrong("a string") }
        return text
    }

    /// The number; nil for any other value, and for one that is too large.
    package var number: Double? {
        guard case .literal(let text) = content, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// The value as JSON on one line, with numbers as they are written.
    package func line(colon: String = ":", comma: String = ",") -> String {
        switch content {
        case .object(let members):
            let texts = members.map { $0.key.jsonQuoted + colon + $0.value.line(colon: colon, comma: comma) }
            return "{\(texts.joined(separator: comma))}"
        case .array(let elements):
            return "[\(elements.map { $0.line(colon: colon, comma: comma) }.joined(separator: comma))]"
        case .string(let text): return text.jsonQuoted
        case .literal(let text): return text
        }
    }

    private func wrong(_ wanted: String) -> JSONProblem {
        JSONProblem(mark, "there should be \(wanted), and there is \(kind)")
    }
}
