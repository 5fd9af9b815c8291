/// Reads a text once from left to right, and removes secrets.
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

    /// Reads one word up to a blank or a quotation mark: an address, a path, a name with its value, or a plain word.
    private mutating func word() {
        let start = index
        skip(until: Self.endsWord)
        let word = String(characters[start..<index])
        if assignment(word) { return }
        if word.hasPrefix("-"), option(word) { return }
        if let separator = Self.secretName(word) {
            named(word, separator)
        } else if Self.hasFields(word) {
            result += Self.fields(word)
        } else if let scheme = word.firstRange(of: "://") {
            address(word, scheme.lowerBound)
        } else if Self.hasQuery(word) {
            result += Redaction.url(word)
        } else if let separator = word.firstIndex(where: { $0 == ":" || $0 == "=" }) {
            if Redaction.isSecret(String(word[..<separator])) {
                named(word, separator)
            } else {
                result += Redaction.withoutCredentials(word[...]) ?? word
            }
        } else if word.lowercased() == "bearer", index < characters.count, characters[index] == " " {
            result += word + " " + Redaction.mark
            index += 1
            skip(until: Self.endsWord)
        } else {
            result += word
        }
    }

    /// The end of the secret's name at the start of a word, as in `password=a?b` or `Authorization:https://a`.
    ///
    /// Names of hosts, and names before a query or a form's fields, do not count.
    private static func secretName(_ word: String) -> String.Index? {
        guard let separator = word.firstIndex(where: { !$0.isLetter && !$0.isNumber && !"-_.".contains($0) }) else {
            return nil
        }
        let name = String(word[..<separator])
        switch word[separator] {
        case ":": guard !name.contains("."), !word[separator...].hasPrefix("://") else { return nil }
        case "=": guard !hasFields(word) else { return nil }
        default: return nil
        }
        return Redaction.isSecret(name) ? separator : nil
    }

    /// Reads an address with a prefix, `PROXY=http://…` or `at:http://…`.
    private mutating func address(_ word: String, _ end: String.Index) {
        let last = word[..<end].lastIndex { !$0.isLetter && !$0.isNumber && !"+-.".contains($0) }
        let start = last.map { word.index(after: $0) } ?? word.startIndex
        let name = word[..<start]
        if name.contains(where: { "/?#".contains($0) }) {
            result += Redaction.url(word)
        } else {
            result += Redaction.withoutCredentials(name) ?? String(name)
            result += Redaction.url(String(word[start...]))
        }
    }

    /// Whether it is an address without a scheme, with a query: `cdn.example/a.zip?sig=1`.
    private static func hasQuery(_ word: String) -> Bool {
        guard let mark = word.firstIndex(of: "?"), word.index(after: mark) < word.endIndex else { return false }
        return word[..<mark].contains("/") || word[mark...].contains("=")
    }

    /// Reads an option of a command line and its secret value, as in a script; false if it has none.
    private mutating func option(_ word: String) -> Bool {
        if let option = Redaction.attachedOption(of: word) {
            result += option + Redaction.mark
            return true
        }
        guard !word.contains("="), !word.contains(":"), Redaction.isSecretOption(word) || Redaction.isBundle(word),
            let (start, end) = optionValue()
        else { return false }
        let value = String(characters[start..<end])
        let isSecret =
            Redaction.namesSecret(word)
            ? !value.hasPrefix("--") && !Self.prose.contains(value) && !Self.isVariable(value)
            : Redaction.holdsCredentials(value[...], of: word)
        guard isSecret else { return false }
        result += word + String(characters[index..<start]) + Redaction.mark
        index = end
        return true
    }

    /// The bounds of an option's value: the next word, the next quotation, or that in a list, `"-u", "a:b"`.
    private func optionValue() -> (start: Int, end: Int)? {
        var start = index
        let isQuoted = start < characters.count && Self.isQuote(characters[start])
        if isQuoted { start += 1 }
        if isQuoted, start < characters.count, characters[start] == "," { start += 1 }
        while start < characters.count, Self.isBlank(characters[start]) { start += 1 }
        guard start > index, start < characters.count else { return nil }
        var end = start
        if Self.isQuote(characters[start]) {
            start += 1
            end = start
            while end < characters.count, characters[end] != characters[start - 1], !characters[end].isNewline {
                end += 1
            }
        } else if !isQuoted {
            while end < characters.count, !Self.endsWord(characters[end]) { end += 1 }
        }
        return start < end ? (start, end) : nil
    }

    /// Whether a word is the fields of a form, `user=bob&password=abc`, and not an address with a query.
    private static func hasFields(_ word: String) -> Bool {
        let form = word.prefix { $0 != "?" }
        guard let and = form.firstIndex(of: "&"), let equals = form.firstIndex(of: "=") else { return false }
        return !form[..<min(and, equals)].contains("://")
    }

    /// The redacted fields of a form, including addresses in their values.
    private static func fields(_ word: String) -> String {
        var fields = word.split(separator: "&", omittingEmptySubsequences: false)[...]
        var kept: [String] = []
        while let field = fields.popFirst() {
            guard let equals = field.firstIndex(of: "=") else {
                kept.append(String(field))
                continue
            }
            let value = field[field.index(after: equals)...]
            if Redaction.isSecret(String(field[..<equals])) {
                kept.append(field[...equals] + Redaction.mark)
            } else if value.contains("?") {
                // The following fields may belong to this query.
                kept.append(field[...equals] + Redaction.url(String(value)))
                break
            } else if value.contains("://") {
                kept.append(field[...equals] + Redaction.url(String(value)))
            } else {
                kept.append(Redaction.withoutCredentials(field) ?? String(field))
            }
        }
        return kept.joined(separator: "&")
    }

    private mutating func named(_ word: String, _ separator: String.Index) {
        result += word[...separator] + Redaction.mark
        // A header's value may have blanks, as in "Bearer abc": it ends with the line or the surrounding quotation.
        if word[separator] == ":" {
            skip { !Self.isBlank($0) }
            if !quotation() { skip { $0.isNewline || Self.isQuote($0) } }
        } else if word.last == "=" {
            skip { !Self.isBlank($0) }
            if !quotation() { skip(until: Self.endsWord) }
        }
    }

    /// Reads a secret's name separated from its `:` or `=`, as in JSON, `"token": "abc"`, or in a file, `token = abc`.
    private mutating func assignment(_ word: String) -> Bool {
        // A shell comparison of a variable, `"$TOKEN" = ""`.
        guard Redaction.isSecret(word), !word.contains(":"), !word.contains("="), !word.hasPrefix("$") else {
            return false
        }
        var next = index
        let isQuoted = next < characters.count && Self.isQuote(characters[next])
        if isQuoted { next += 1 }
        while next < characters.count, Self.isBlank(characters[next]) { next += 1 }
        guard next < characters.count, characters[next] == ":" || characters[next] == "=" else { return false }
        next += 1
        // `:=`, `==` and `=>` also count as one separator.
        if next < characters.count, characters[next] == "=" || characters[next] == ">" { next += 1 }
        result += word + String(characters[index..<next]) + Redaction.mark
        index = next
        skip { isQuoted ? !$0.isWhitespace : !Self.isBlank($0) }
        guard !quotation() else { return true }
        guard isQuoted else {
            skip { $0.isNewline || Self.isQuote($0) }
            return true
        }
        if index < characters.count, let closing = Self.brackets[characters[index]] {
            skip { $0 == closing || $0.isNewline }
            if index < characters.count, characters[index] == closing { index += 1 }
        } else {
            skip { $0 == "," || $0 == "}" || $0.isNewline }
        }
        return true
    }

    /// Skips a quotation, up to the end of the line, if one begins here.
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

    private static let brackets: [Character: Character] = ["[": "]", "{": "}"]
    /// Words that follow an option's name in a sentence, and are not values.
    private static let prose: Set = ["or", "and", "is", "to", "for", "with"]

    /// Whether a value is a shell variable, `$TOKEN` or `${TOKEN}`, whose name is not secret.
    private static func isVariable(_ value: String) -> Bool {
        guard value.hasPrefix("$"), value.count > 1 else { return false }
        return value.dropFirst().allSatisfy { $0.isUppercase || $0.isNumber || "_{}".contains($0) }
    }

    private static func isBlank(_ character: Character) -> Bool { character.isWhitespace && !character.isNewline }

    private static func isQuote(_ character: Character) -> Bool { character == "\"" || character == "'" }

    private static func endsWord(_ character: Character) -> Bool {
        character.isWhitespace || isQuote(character) || "<>".contains(character)
    }
}
