extension BinaryInteger {
    /// The number with its word: `1 pack`, `2 packs`.
    package func counted(_ word: String) -> String { "\(self) \(word)\(self == 1 ? "" : "s")" }

    /// How often something happened, for a sentence: `once`, `3 times`.
    package var times: String { self == 1 ? "once" : "\(self) times" }
}

extension Collection<String> {
    /// The first texts (default: 12) with commas between them, and `…` for any others.
    package func listed(_ most: Int = 12) -> String {
        prefix(most).joined(separator: ", ") + (count > most ? ", …" : "")
    }

    /// The names for a sentence, at most `most` of them: `'a', 'b' and 12 more`.
    package func quoted(most: Int) -> String {
        prefix(most).map { "'\($0)'" }.joined(separator: ", ") + (count > most ? " and \(count - most) more" : "")
    }
}
