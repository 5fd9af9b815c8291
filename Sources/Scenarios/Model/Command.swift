package import SystemPackage

/// A program of the user's that takes the place of the built-in client.
package struct Command: Hashable, Sendable {
    /// How the program is called.
    package enum Call: Hashable, Sendable {
        /// A program and its arguments; no shell has a part in it.
        case arguments([Template])
        /// A script for `/bin/sh -c`.
        case shell(Template)

        /// The program's name or path; nil where a shell finds it, or a placeholder stands in it.
        package var program: String? {
            guard case .arguments(let words) = self, words.first?.pieces.count == 1,
                case .text(let program)? = words.first?.pieces.first
            else { return nil }
            return program
        }

        /// A program and its arguments, in which `{url}` and the like stand for what they stand for in a scenario.
        ///
        /// Throws the name in braces that stands for nothing.
        package init(words: [String]) throws {
            self = .arguments(
                try words.map { word in
                    do throws(Template.Unknown) { return try Template(parsing: word) } catch {
                        let names = Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
                        let message = "'{\(error.name)}' in the command stands for nothing"
                        let hint = "there are \(names); for the text itself write {{\(error.name)}}"
                        throw InvalidFiles([Diagnostic(file: "", mark: .start, message: message, hint: hint)])
                    }
                })
        }
    }

    /// How the program tells its progress.
    package struct Progress: Hashable, Sendable {
        package enum Stream: String, CaseIterable, Sendable {
            case stdout
            case stderr
        }

        package var stream: Stream
        /// A regular expression whose first group is a number of percent.
        package var pattern: String
    }

    package var call: Call
    /// nil: none is told, but for event lines on the standard output.
    package var progress: Progress?
    /// The pack that {url} stands for: an identifier, a tag or a file name; nil where {url} is not used.
    package var pack: String?
    /// The folder that it runs in, by its whole path; nil: one of the attempt's own.
    package var directory: FilePath?
    /// Whether a command that ends with 0 must have left the pack at `{output}`.
    package var leavesOutput = false

    /// What the program's call has to be given.
    package var placeholders: Set<Placeholder> {
        switch call {
        case .arguments(let templates): templates.reduce(into: []) { $0.formUnion($1.placeholders) }
        case .shell(let template): template.placeholders
        }
    }

    /// The program and its arguments, with placeholders in braces.
    package var words: [String] { arguments { "{\($0.rawValue)}" } }

    /// The program and its arguments, with the placeholders replaced.
    ///
    /// In a script, values are quoted for the shell.
    package func arguments(_ value: (Placeholder) -> String) -> [String] {
        switch call {
        case .arguments(let templates): templates.map { $0.text(value) }
        case .shell(let template): ["/bin/sh", "-c", template.text { Self.quoted(value($0)) }]
        }
    }

    /// One word of a POSIX shell, whatever it holds.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
