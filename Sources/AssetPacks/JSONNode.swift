import PackFormat

/// A value of a JSON file (RFC 8259), and where it stands, so that errors can say so.
package struct JSONNode {
    /// A place in a file; both count from 1, columns in characters.
    package struct Place: Hashable, Sendable, CustomStringConvertible {
        package var line = 1
        package var column = 1

        package var description: String { "\(line):\(column)" }
    }

    /// A key of an object with its value.
    package struct Member {
        package let key: String
        package let place: Place
        package let value: JSONNode
    }

    package enum Content {
        case object([Member])
        case array([JSONNode])
        case string(String)
        /// A number, a boolean or null, as it is written.
        case literal(String)
    }

    package let content: Content
    package let place: Place

    /// What it is, for errors.
    package var kind: String {
        switch content {
        case .object: "an object"
        case .array: "an array"
        case .string(let text): "the string \"\(NameText.visible(String(text.prefix(40))))\""
        case .literal(let text): String(text.prefix(40))
        }
    }
}

/// What is wrong in a JSON file, and where.
package struct JSONProblem: Error {
    package let place: JSONNode.Place
    package let reason: String

    package init(place: JSONNode.Place, reason: String) { (self.place, self.reason) = (place, reason) }
}

extension JSONNode {
    /// The value of an object's key, or nil; throws for what is no object.
    package func member(_ key: String) throws(JSONProblem) -> JSONNode? {
        guard case .object(let members) = content else { throw wrong("an object") }
        return members.first { $0.key == key }?.value
    }

    /// The elements of an array; throws for what is none.
    package func elements() throws(JSONProblem) -> [JSONNode] {
        guard case .array(let elements) = content else { throw wrong("an array") }
        return elements
    }

    /// The text of a string; throws for what is none.
    package func text() throws(JSONProblem) -> String {
        guard case .string(let text) = content else { throw wrong("a string") }
        return text
    }

    private func wrong(_ wanted: String) -> JSONProblem {
        JSONProblem(place: place, reason: "there should be \(wanted), and there is \(kind)")
    }
}
