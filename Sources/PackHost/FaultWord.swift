/// One word of the notation of faults: `name`, `name=value` or `name@value`.
struct FaultWord: Hashable {
    let name: String
    /// The text after `=` or `@`, without its quotes; nil if the word is only a name.
    let value: String?
    /// Whether the value is a place in a body.
    let isPlace: Bool
    /// The word as it was written, for messages.
    let text: String

    /// Earlier names of five actions in schedules, with the names that they have now.
    private static let earlierNames = [
        "length": "wrong-length", "range": "wrong-range", "new-etag": "changed-etag", "new-content": "changed-content",
        "new-size": "changed-size",
    ]

    /// The word with the current name of its action.
    var renamed: FaultWord {
        FaultWord(name: Self.earlierNames[name] ?? name, value: value, isPlace: isPlace, text: text)
    }

    /// Splits a text into words at spaces outside of double quotes.
    ///
    /// Within quotes, a backslash escapes the next character. Throws if a quote is not closed, or if a word begins with
    /// its value.
    static func words(of text: String) throws(HostFaultSyntaxError) -> [FaultWord] {
        var words: [FaultWord] = []
        var rest = Substring(text).drop { $0 == " " }
        while !rest.isEmpty {
            let (word, end) = try FaultWord.first(in: rest, of: text)
            words.append(word)
            rest = rest[end...].drop { $0 == " " }
        }
        return words
    }

    private static func first(
        in rest: Substring, of whole: String
    ) throws(HostFaultSyntaxError) -> (word: FaultWord, end: Substring.Index) {
        var (name, value): (String, String?) = ("", nil)
        var isPlace = false
        var isQuoted = false
        var index = rest.startIndex
        while index < rest.endIndex, isQuoted || rest[index] != " " {
            let character = rest[index]
            rest.formIndex(after: &index)
            if value == nil {
                if character == "=" || character == "@" {
                    (value, isPlace) = ("", character == "@")
                } else {
                    name.append(character)
                }
            } else if character == "\"" {
                isQuoted.toggle()
            } else if character == "\\", isQuoted, index < rest.endIndex {
                value?.append(rest[index])
                rest.formIndex(after: &index)
            } else {
                value?.append(character)
            }
        }
        let word = String(rest[..<index])
        if isQuoted { throw HostFaultSyntaxError(text: whole, word: word, reason: "its quotation mark is not closed") }
        guard !name.isEmpty else {
            throw HostFaultSyntaxError(text: whole, word: word, reason: "it has no name before the value")
        }
        return (FaultWord(name: name, value: value, isPlace: isPlace, text: word), index)
    }

    /// A value in the form that ``words(of:)`` reads back.
    static func quoted(_ value: String) -> String {
        guard value.isEmpty || value.contains(where: { " \"\\=@".contains($0) || $0.isNewline }) else { return value }
        let escaped = value.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return "\"\(escaped)\""
    }
}
