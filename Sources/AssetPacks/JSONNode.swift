/// A value of a JSON file (RFC 8259), and where it stands, so that errors can say so.
struct JSONNode {
    /// A place in a file; both count from 1, columns in characters.
    struct Place: Hashable, CustomStringConvertible {
        var line = 1
        var column = 1

        var description: String { "\(line):\(column)" }
    }

    /// A key of an object with its value.
    struct Member {
        let key: String
        let place: Place
        let value: JSONNode
    }

    enum Content {
        case object([Member])
        case array([JSONNode])
        case string(String)
        /// A number, a boolean or null, as it is written.
        case literal(String)
    }

    let content: Content
    let place: Place

    /// What it is, for errors.
    var kind: String {
        switch content {
        case .object: "an object"
        case .array: "an array"
        case .string(let text): "the string \"\(text.prefix(40))\""
        case .literal(let text): text
        }
    }
}

/// What is wrong in a JSON file, and where.
struct JSONProblem: Error {
    let place: JSONNode.Place
    let reason: String
}
