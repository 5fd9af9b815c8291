/// A quantity in text that cannot be read, with what would have been right.
package struct UnitError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text as it was found.
    package let text: String
    /// What the text should have been: "a size such as 64 MiB".
    package let expected: String
    /// What is wrong with it, and what to write instead.
    package let reason: String

    package init(text: String, expected: String, reason: String) {
        self.text = text
        self.expected = expected
        self.reason = reason
    }

    package var description: String {
        "'\(text)' is not \(expected): \(reason)"
    }
}
