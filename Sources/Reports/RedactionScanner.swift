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
