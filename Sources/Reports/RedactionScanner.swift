/// Reads a text once from left to right and leaves secrets out.
struct RedactionScanner {
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
        if word.contains("://") || Self.hasQuery(word) {
            result += Redaction.url(word)
        } else if word.hasPrefix("-"), option(word) {
            return
        } else if word.contains("&"), word.contains("=") {
            fields(word)
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

    /// Whether a query follows the path of an address without a scheme, `cdn.example/a.zip?sig=1`.
    private static func hasQuery(_ word: String) -> Bool {
        guard let mark = word.firstIndex(of: "?"), word.index(after: mark) < word.endIndex else { return false }
        return word[..<mark].contains("/") || word[mark...].contains("=")
    }

    /// An option of a command line with what it keeps secret, as in a script; false where it keeps nothing.
    private mutating func option(_ word: String) -> Bool {
        if let option = Redaction.attachedOption(of: word) {
            result += option + Redaction.mark
            return true
        }
        guard !word.contains("="), !word.contains(":"), Redaction.isSecretOption(word) else { return false }
        var next = index
        while next < characters.count, characters[next] == " " || Self.isQuote(characters[next]) { next += 1 }
        let value = characters[next...].prefix { !Self.endsWord($0) }
        guard next > index, !value.isEmpty,
            word.count > 2 || Redaction.holdsCredentials(Substring(String(value)), of: word)
        else { return false }
        result += word + String(characters[index..<next]) + Redaction.mark
        index = value.endIndex
        return true
    }

    /// The fields of a form, `user=bob&password=abc`.
    private mutating func fields(_ word: String) {
        let fields = word.split(separator: "&", omittingEmptySubsequences: false)
        result += fields.map { field in
            guard let equals = field.firstIndex(of: "="), Redaction.isSecret(String(field[..<equals])) else {
                return String(field)
            }
            return field[...equals] + Redaction.mark
        }.joined(separator: "&")
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
