/// Words as a shell reads them.
package enum ShellWords {
    /// A command line that a person can read and paste; control characters are shown as `?`.
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

    /// The words of a command line, as a shell has them: blanks separate, quotes and `\` hold together.
    ///
    /// Nothing else has a meaning. Nil where a quote, or a `\` at the end, has no end.
    package static func split(_ line: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                // Between double quotes it holds only for what would have a meaning there.
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
