extension BinaryInteger {
    /// The number with its word: `1 pack`, `2 packs`.
    package func counted(_ word: String) -> String { "\(self) \(word)\(self == 1 ? "" : "s")" }
}

extension Collection<String> {
    /// The first texts (default: 12) with commas between them, and `…` for any others.
    package func listed(_ most: Int = 12) -> String {
        prefix(most).joined(separator: ", ") + (count > most ? ", …" : "")
    }
}
