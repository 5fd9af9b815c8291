package import Documents

/// A problem in a file, with its place: `tunnel.yaml:7:3: there is no key 'atempts' in a scenario`.
package struct Diagnostic: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The file as the user named it; empty if the problem is in the arguments, not in a file.
    package let file: String
    package let mark: Mark
    /// What is wrong, without a full stop.
    package let message: String
    /// What to write instead: "did you mean 'attempts'?"; nil if there is no suggestion.
    package let hint: String?

    package init(file: String, mark: Mark, message: String, hint: String? = nil) {
        self.file = file
        self.mark = mark
        self.message = Self.printable(message)
        self.hint = hint.map(Self.printable)
    }

    package var line: Int { mark.line }
    package var column: Int { mark.column }

    /// The line for people and editors: `file:line:column: message; hint`.
    package var description: String { (file.isEmpty ? "" : "\(file):\(line):\(column): ") + text }

    /// The description without the place.
    var text: String { message + (hint.map { "; \($0)" } ?? "") }

    /// Makes one line without control characters, at most 600 scalars long.
    ///
    /// Messages quote files, and a terminal would obey control characters in them.
    static func printable(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(longest) {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .format: line.append(scalar == "\n" ? " " : "\u{FFFD}")
            default: line.append(scalar)
            }
        }
        return String(line)
    }

    private static let longest = 600

    package static func < (left: Self, right: Self) -> Bool {
        (left.file, left.mark, left.message) < (right.file, right.mark, right.message)
    }
}
