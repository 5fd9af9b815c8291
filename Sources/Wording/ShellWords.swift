/// Quotes and splits words like a shell.
package enum ShellWords {
    /// A command line that a person can read and paste; control characters become `?`.
    package static func quoted(_ words: [String]) -> String {
        words.map(quoted).joined(separator: " ")
    }

    package static func quoted(_ word: String) -> String {
        let shown = String(
            String.UnicodeScalarView(
                word.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control where scalar != "\n", .format, .lineSeparator, .paragraphSeparator: "?"
                    default: scalar
                    }
                }))
        let isPlain = !shown.isEmpty && shown.utf8.allSatisfy { plain.contains($0) }
        guard !isPlain else { return shown }
        return "'" + shown.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%{}".utf8)

    /// Splits a command line like a shell: blanks separate words, quotes and `\` keep blanks in a word.
    ///
    /// Nothing else is special. Nil if a quote is not closed, or if the line ends with a `\`.
    package static func split(_ line: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                // Between double quotes it escapes only a double quote and a `\`.
                if quote == "\"", character != "\"", character != "\\" { word = (word ?? "") + "\\" }
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
                word = word ?? ""
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let ended = word { words.append(ended) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil, !isEscaped else { return nil }
        return words + (word.map { [$0] } ?? [])
    }
}
