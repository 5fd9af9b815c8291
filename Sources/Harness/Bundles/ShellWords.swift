/// Words as a shell reads them.
package enum ShellWords {
    /// A command line that a person can read and paste; control characters are shown as `?`.
    package static func quoted(_ words: [String]) -> String {
        words.map(quoted).joined(separator: " ")
    }

    static func quoted(_ word: String) -> String {
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
}
