/// A text with placeholders: `{url}`.
///
/// To say `{url}` itself, write `{{url}}`.
package struct Template: Hashable, Sendable {
    package enum Piece: Hashable, Sendable {
        case text(String)
        case placeholder(Placeholder)
    }

    package let pieces: [Piece]

    package var placeholders: Set<Placeholder> {
        pieces.reduce(into: []) { found, piece in
            if case .placeholder(let placeholder) = piece { found.insert(placeholder) }
        }
    }

    /// The text with every placeholder replaced.
    package func text(_ value: (Placeholder) -> String) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .placeholder(let placeholder): value(placeholder)
            }
        }.joined()
    }

    /// A brace expression that is no placeholder.
    struct Unknown: Error, Hashable {
        let name: String
        /// Where its brace is, in characters from 0.
        let offset: Int
    }

    /// Reads a template.
    ///
    /// Braces that hold anything but lowercase letters, as those of shells and programs do, are text.
    init(parsing text: String) throws(Unknown) {
        var pieces: [Piece] = []
        var literal = ""
        var rest = Substring(text)
        while let character = rest.first {
            let offset = text.distance(from: text.startIndex, to: rest.startIndex)
            if character == "{", let name = Self.name(at: rest.dropFirst()), rest.dropFirst(name.count + 3).first == "}"
            {
                literal += "{\(name)}"
                rest = rest.dropFirst(name.count + 4)
            } else if character == "{", literal.last != "$", let name = Self.name(at: rest) {
                guard let placeholder = Placeholder(rawValue: name) else { throw Unknown(name: name, offset: offset) }
                pieces += [.text(literal), .placeholder(placeholder)]
                literal = ""
                rest = rest.dropFirst(name.count + 2)
            } else {
                literal.append(character)
                rest = rest.dropFirst()
            }
        }
        self.pieces = (pieces + [.text(literal)]).filter { $0 != .text("") }
    }

    /// The name in braces at the beginning of `text`.
    private static func name(at text: Substring) -> String? {
        let name = text.dropFirst().prefix { $0.isASCII && $0.isLowercase }
        return name.isEmpty || text.dropFirst(name.count + 1).first != "}" ? nil : String(name)
    }
}
