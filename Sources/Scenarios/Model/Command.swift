package import SystemPackage

/// A program of the user's that runs instead of the built-in client.
package struct Command: Hashable, Sendable {
    /// How the program is called.
    package enum Call: Hashable, Sendable {
        /// A program and its arguments, without a shell.
        case arguments([Template])
        /// A script for `/bin/sh -c`.
        case shell(Template)

        /// The placeholders that the call contains.
        package var placeholders: Set<Placeholder> {
            switch self {
            case .arguments(let templates): templates.reduce(into: []) { $0.formUnion($1.placeholders) }
            case .shell(let template): template.placeholders
            }
        }

        /// The program's name or path; nil if a shell runs it, or its word contains a placeholder.
        package var program: String? {
            guard case .arguments(let words) = self, words.first?.pieces.count == 1,
                case .text(let program)? = words.first?.pieces.first
            else { return nil }
            return program
        }

        /// The program that a script begins with; nil if that is not a plain word, or a shell built-in, or if this is
        /// no script.
        package var scriptProgram: String? {
            guard case .shell(let script) = self, case .text(let text)? = script.pieces.first else { return nil }
            let word = String(text.prefix { !$0.isWhitespace })
            let isPlain = word.utf8.allSatisfy {
                $0 >= 0x80 || UInt8.asciiAlphanumerics.contains($0) || "_./+-".utf8.contains($0)
            }
            // A placeholder may be the end of the word.
            let isWhole = word.utf8.count < text.utf8.count || script.pieces.count == 1
            return isPlain && isWhole && !word.isEmpty && !Self.shellWords.contains(word) ? word : nil
        }

        /// Reserved words and built-ins of shells (POSIX.1-2017, XCU 2.4, 2.14 and 1.6, and other usual ones).
        private static let shellWords = Set(
            """
            . : alias bg break builtin bye case cd command continue declare do done echo elif else esac eval exec exit export \
            false fc fg fi for function getopts hash if in jobs kill let local printf pwd read readonly return select set shift \
            shopt source test then time times trap true type typeset ulimit umask unalias unset until wait while
            """.split(separator: " ").map(String.init))

        /// A program and its arguments, in which placeholders such as `{url}` mean the same as in a scenario.
        ///
        /// Throws an error that names the text in braces that is not a placeholder.
        package init(words: [String]) throws {
            self = .arguments(
                try words.map { word in
                    do throws(Template.Unknown) { return try Template(parsing: word) } catch {
                        let message = "'{\(error.name)}' in the command is not a placeholder"
                        throw InvalidFiles(message, hint: error.hint)
                    }
                })
        }
    }

    /// How the program reports its progress.
    package struct Progress: Hashable, Sendable {
        package enum Stream: String, CaseIterable, Sendable {
            case stdout
            case stderr
        }

        package var stream: Stream
        /// A regular expression whose first group is a percentage.
        package var pattern: String
    }

    /// How often the program is started.
    package enum Starts: String, CaseIterable, Sendable {
        case once
        /// A second time, 2 s after the first has ended; the second outcome counts.
        case again
        /// A second time, 1 s after the first start, with the same `{output}`; if one of the two succeeds, both count
        /// as one success.
        case sideBySide = "side-by-side"
    }

    package var call: Call
    /// nil: progress is only read from event lines on the standard output.
    package var progress: Progress?
    /// The pack that `{url}` stands for: an identifier, a tag or a file name; nil if `{url}` is not used.
    package var pack: String?
    /// The absolute path of the folder that it runs in; nil: a folder of the attempt's own.
    package var directory: FilePath?
    /// Whether a command that ends with status 0 must have left the pack at `{output}`.
    package var leavesOutput = false
    package var starts = Starts.once

    /// The placeholders that the call contains.
    package var placeholders: Set<Placeholder> { call.placeholders }

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

    /// Quotes any text as one word of a POSIX shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
