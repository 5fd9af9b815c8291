/// Takes secrets out of what is written down: header values, query strings, user names in addresses, tokens.
///
/// Everything that a run writes passes through here. It knows names and forms, not secrets: a secret in a path, or under
/// a harmless name, stays.
package enum Redaction {
    /// What stands in a secret's place.
    package static let mark = "[redacted]"

    private static let secretParts = [
        "authorization", "cookie", "token", "secret", "password", "passwd", "api-key", "apikey", "access-key",
        "signature", "credential",
    ]

    /// Whether a header, a variable, an option or a field of that name holds a secret.
    ///
    /// `Authorization`, `Set-Cookie`, `X_API_KEY`, `--oauth-token`; upper and lower case, `_` and `-` are the same.
    package static func isSecret(_ name: String) -> Bool {
        let plain = String(name.lowercased().map { $0 == "_" ? "-" : $0 })
        return secretParts.contains { plain.contains($0) }
    }

    /// A value as it may be written under a name.
    package static func value(_ value: String, of name: String) -> String {
        isSecret(name) ? mark : text(value)
    }

    /// An address or a path without user name, query and fragment.
    package static func url(_ url: String) -> String {
        var rest = Substring(url)
        var result = ""
        if let scheme = rest.firstRange(of: "://") {
            result += rest[..<scheme.upperBound]
            rest = rest[scheme.upperBound...]
            let authority = rest.prefix { !"/?#".contains($0) }
            if let at = authority.lastIndex(of: "@") {
                result += mark
                rest = rest[at...]
            }
        }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        result += path
        guard let first = rest.dropFirst(path.count).first else { return result }
        return result + String(first) + mark
    }

    /// A text without the secrets that can be told by their form.
    ///
    /// Addresses and paths lose user name and query; `Name: value` and `name=value` lose the value if the name is one of
    /// a secret; so does the word after `Bearer`.
    package static func text(_ text: String) -> String {
        guard
            text.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "?") })
                || text.lowercased().contains("bearer")
        else { return text }
        var scanner = RedactionScanner(text)
        return scanner.redacted()
    }

    /// A command line without the values of options that hold secrets.
    ///
    /// `-u`, `--user`, `-b` and options with a secret's name lose the argument after them, or after their `=`.
    package static func arguments(_ arguments: [String]) -> [String] {
        var hidesNext = false
        return arguments.map { argument in
            defer { hidesNext = argument.hasPrefix("-") && !argument.contains("=") && isSecretOption(argument) }
            if hidesNext { return mark }
            if argument.hasPrefix("-"), let equals = argument.firstIndex(of: "="),
                isSecretOption(String(argument[..<equals]))
            {
                return argument[...equals] + mark
            }
            return text(argument)
        }
    }

    private static func isSecretOption(_ option: String) -> Bool {
        ["-u", "--user", "--proxy-user", "-b"].contains(option) || isSecret(option)
    }
}

/// Reads a text once from left to right and leaves secrets out.
private struct RedactionScanner {
    private let characters: [Character]
    private var index = 0
    private var result = ""

    init(_ text: String) { characters = Array(text) }

    mutating func redacted() -> String {
        while index < characters.count {
            if Self.endsWord(characters[index]) {
                result.append(characters[index])
                index += 1
            } else {
                word()
            }
        }
        return result
    }

    /// One word up to a blank or a quotation mark: an address, a path, a name with its value, or just a word.
    private mutating func word() {
        let start = index
        while index < characters.count, !Self.endsWord(characters[index]) { index += 1 }
        let word = String(characters[start..<index])
        if word.contains("://") || (word.hasPrefix("/") && word.contains("?")) {
            result += Redaction.url(word)
        } else if let separator = word.firstIndex(where: { $0 == ":" || $0 == "=" }) {
            named(word, separator)
        } else if word.lowercased() == "bearer", index < characters.count, characters[index] == " " {
            result += word + " " + Redaction.mark
            index += 1
            while index < characters.count, !Self.endsWord(characters[index]) { index += 1 }
        } else {
            quotedName(word)
        }
    }

    private mutating func named(_ word: String, _ separator: String.Index) {
        guard Redaction.isSecret(String(word[..<separator])) else {
            result += word
            return
        }
        result += word[...separator] + Redaction.mark
        // A header's value may have blanks, as "Bearer abc" has: it ends with the line or the quotation around it.
        if word[separator] == ":" {
            skip { !$0.isWhitespace || $0.isNewline }
            if !quotation() { skip { $0.isNewline || Self.isQuote($0) } }
        } else if word.last == "=" {
            _ = quotation()
        }
    }

    /// The name of a JSON object's member, `"token": "abc"`.
    private mutating func quotedName(_ word: String) {
        result += word
        guard index + 1 < characters.count, Self.isQuote(characters[index]), characters[index + 1] == ":",
            Redaction.isSecret(word)
        else { return }
        result += String(characters[index...index + 1]) + Redaction.mark
        index += 2
        skip { !$0.isWhitespace }
        if !quotation() { skip { $0 == "," || $0 == "}" || $0.isNewline } }
    }

    /// Leaves out a quotation, or as much of it as is on the line, if one begins here.
    private mutating func quotation() -> Bool {
        guard index < characters.count, Self.isQuote(characters[index]) else { return false }
        let quote = characters[index]
        index += 1
        skip { $0 == quote || $0.isNewline }
        if index < characters.count, characters[index] == quote { index += 1 }
        return true
    }

    private mutating func skip(until ends: (Character) -> Bool) {
        while index < characters.count, !ends(characters[index]) { index += 1 }
    }

    private static func isQuote(_ character: Character) -> Bool { character == "\"" || character == "'" }

    private static func endsWord(_ character: Character) -> Bool {
        character.isWhitespace || isQuote(character) || "<>".contains(character)
    }
}
