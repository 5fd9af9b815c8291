/// Why a text is no fault.
package struct HostFaultSyntaxError: Error, Hashable, CustomStringConvertible {
    /// The whole text.
    package let text: String
    /// The word that is wrong.
    package let word: String
    /// What is wrong with it, and what to write.
    package let reason: String

    init(_ text: String, at word: String, reason: String) {
        (self.text, self.word, self.reason) = (text, word, reason)
    }

    package var description: String {
        "Could not read the fault '\(text)' at '\(word)': \(reason)."
    }
}
