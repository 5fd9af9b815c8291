/// What is wrong with the text of a schedule, line by line.
package struct FaultScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// Counted from 1, columns in Unicode scalars.
        package let line: Int
        package let column: Int
        /// What is wrong, without a full stop.
        package let message: String
        /// What to write instead; nil if ``names`` say it.
        package let hint: String?
        /// A word that is none of ``names``; nil if something else is wrong.
        package let word: String?
        package let names: [String]

        package var description: String {
            let hint = hint ?? (names.isEmpty ? nil : "write one of \(names.joined(separator: ", "))")
            return "\(line):\(column): \(message)" + (hint.map { "; \($0)" } ?? "")
        }
    }

    /// The most problems that are reported.
    static let mostProblems = 100

    /// In the order of the lines; at least one.
    package let problems: [Problem]

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// What is wrong with one line, and where in it.
struct ScheduleLineError: Error {
    var place: Substring
    var message: String
    var hint: String?
    var word: String?
    var names: [String] = []

    init(_ place: Substring, _ message: String, hint: String? = nil) {
        (self.place, self.message, self.hint) = (place, message, hint)
    }

    /// An error about a word that is none of `names`.
    init(_ word: Substring, _ message: String, names: [String]) {
        self.init(word, message)
        self.word = String(word)
        self.names = names
    }

    /// An error about a word that is not what is expected.
    init(_ word: Substring, not expected: String, hint: String? = nil) {
        self.init(word, "'\(word.quotation)' is not \(expected)", hint: hint)
    }
}

extension Substring {
    /// At most 40 characters, for messages.
    var quotation: String { count <= 40 ? String(self) : "\(prefix(39))…" }
}
