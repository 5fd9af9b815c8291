package import Documents

/// One thing that is wrong with a file, and where: `tunnel.yaml:7:3: there is no key 'atempts' in a scenario`.
package struct Diagnostic: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The file as the user named it; empty where the problem is in what was asked for, and in no file.
    package let file: String
    package let mark: Mark
    /// What is wrong, without a full stop.
    package let message: String
    /// What to write instead: "did you mean 'attempts'?"; nil where nothing is near.
    package let hint: String?

    package init(file: String, mark: Mark, message: String, hint: String? = nil) {
        self.file = file
        self.mark = mark
        self.message = Self.printable(message)
        self.hint = hint.map(Self.printable)
    }

    package var line: Int { mark.line }
    package var column: Int { mark.column }

    /// The line that people and editors read: `file:line:column: message; hint`.
    package var description: String {
        (file.isEmpty ? "" : "\(file):\(line):\(column): ") + message + (hint.map { "; \($0)" } ?? "")
    }

    /// One line without control characters, for messages quote files, and terminals obey what they print.
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
