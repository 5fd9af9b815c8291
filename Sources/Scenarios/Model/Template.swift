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
        var parts = text.split(separator: "{", omittingEmptySubsequences: false)
        let first = String(parts.removeFirst())
        return parts.reduce(into: first) { escaped, part in
            escaped += name(at: part).map { "{{\($0)}}\(part.dropFirst($0.count + 1))" } ?? "{\(part)"
        }
    }

    /// A name in braces that is not a placeholder.
    struct Unknown: Error, Hashable {
        let name: String
        /// The offset of its brace, in characters from 0.
        let offset: Int

        /// What to write instead.
        var hint: String {
            let names = Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
            return "the placeholders are \(names); for the literal text, write {{\(name)}}"
        }
    }

    /// A text without placeholders.
    init(text: String) { pieces = [.text(text)] }

    /// Reads a template.
    ///
    /// Braces around anything but lowercase letters are text, as in shells and programs. So is `${name}`.
    init(parsing text: String) throws(Unknown) {
        var parts = text.split(separator: "{", omittingEmptySubsequences: false)
        var literal = String(parts.removeFirst())
        var offset = literal.count
        var pieces: [Piece] = []
        for part in parts {
            let name = Self.name(at: part)
            let rest = part.dropFirst((name?.count ?? 0) + 1)
            if let name, literal.last == "{", rest.first == "}" {
                literal += "\(name)\(rest)"
            } else if let name, literal.last != "$" {
                guard let placeholder = Placeholder(rawValue: name) else { throw Unknown(name: name, offset: offset) }
                pieces += [.text(literal), .placeholder(placeholder)]
                literal = String(rest)
            } else {
                literal += "{\(part)"
            }
            offset += part.count + 1
        }
        self.pieces = (pieces + [.text(literal)]).filter { $0 != .text("") }
    }

    /// A regular expression (ECMA-262) that matches no text with an unknown placeholder.
    static let pattern: String = {
        let names = Placeholder.allCases.map(\.rawValue).joined(separator: "|")
        return "^(?![\\s\\S]*(^|[^{$])\\{(?!(\(names))\\})[a-z]{1,\(longestName)}\\})"
    }()

    /// The name that ends with a brace, at the start of what follows a brace; nil if there is none.
    private static func name(at part: Substring) -> String? {
        let name = part.prefix(longestName).prefix { $0.isASCII && $0.isLowercase }
        return name.isEmpty || part[name.endIndex...].first != "}" ? nil : String(name)
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

    /// The variables from which curl, OpenSSL and Go, Python's requests, and Node.js read further authorities.
    package static let authorityVariables = [
        "CURL_CA_BUNDLE", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
    ]
}
