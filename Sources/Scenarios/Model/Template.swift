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

    /// A template that yields exactly this text: names in braces are escaped.
    package static func escaping(_ text: String) -> String {
        let characters = Array(text)
        var escaped = ""
        var index = 0
        while index < characters.count {
            if let name = name(in: characters, at: index) {
                escaped += "{{\(name)}}"
                index += name.count + 2
            } else {
                escaped.append(characters[index])
                index += 1
            }
        }
        return escaped
    }

    /// A name in braces that is not a placeholder.
    struct Unknown: Error, Hashable {
        let name: String
        /// The offset of its brace, in characters from 0.
        let offset: Int
    }

    /// A text without placeholders.
    init(text: String) { pieces = [.text(text)] }

    /// Reads a template.
    ///
    /// Braces around anything but lowercase letters are text, as in shells and programs. So is `${name}`.
    init(parsing text: String) throws(Unknown) {
        let characters = Array(text)
        var pieces: [Piece] = []
        var literal = ""
        var index = 0
        while index < characters.count {
            if let name = Self.name(in: characters, at: index + 1), characters[index] == "{",
                characters.dropFirst(index + name.count + 3).first == "}"
            {
                literal += "{\(name)}"
                index += name.count + 4
            } else if literal.last != "$", let name = Self.name(in: characters, at: index) {
                guard let placeholder = Placeholder(rawValue: name) else { throw Unknown(name: name, offset: index) }
                pieces += [.text(literal), .placeholder(placeholder)]
                literal = ""
                index += name.count + 2
            } else {
                literal.append(characters[index])
                index += 1
            }
        }
        self.pieces = (pieces + [.text(literal)]).filter { $0 != .text("") }
    }

    /// A regular expression (ECMA-262) that matches no text with an unknown placeholder.
    static let pattern: String = {
        let names = Placeholder.allCases.map(\.rawValue).joined(separator: "|")
        return "^(?![\\s\\S]*(^|[^{$])\\{(?!(\(names))\\})[a-z]{1,\(longestName)}\\})"
    }()

    /// The name in braces that begins at `index`, if one does.
    private static func name(in characters: [Character], at index: Int) -> String? {
        guard characters.indices.contains(index), characters[index] == "{" else { return nil }
        let name = characters[(index + 1)...].prefix(longestName).prefix { $0.isASCII && $0.isLowercase }
        let isClosed = characters.dropFirst(name.endIndex).first == "}"
        return name.isEmpty || !isClosed ? nil : String(name)
    }

    private static let longestName = 32
}

/// A value that a command can be given, written `{url}` in a scenario.
package enum Placeholder: String, CaseIterable, Sendable {
    /// The URL of the pack that the command's `pack` names.
    case url
    /// The URL of the manifest.
    case manifest
    /// The SHA-256 of the pack that the command's `pack` names, as 64 hexadecimal digits; empty if it is unknown.
    case digest
    /// The file to write, named after the command's pack, in a folder of the attempt's own.
    case output
    /// The URL of the proxy that applies the link.
    case proxy
    /// The file with the certificate of the run's own authority.
    case ca
    /// How long it may wait for a sign of life, in seconds: the scenario's `patience`.
    case patience
    /// A file with the header fields that the host needs, one `Name: value` a line; empty if it needs none.
    case headers

    /// The environment variable with the same value: `HEADWIND_URL`.
    package var variable: String { "HEADWIND_\(rawValue.uppercased())" }
}
