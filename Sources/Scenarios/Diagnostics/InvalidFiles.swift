/// Files that cannot be used as they are, with everything that is wrong with them.
package struct InvalidFiles: Error, Hashable, Sendable, CustomStringConvertible {
    /// All problems, in order of file and position; at least one.
    package let diagnostics: [Diagnostic]

    package init(_ diagnostics: some Sequence<Diagnostic>) {
        self.diagnostics = Set(diagnostics).sorted()
        precondition(!self.diagnostics.isEmpty, "files without a problem are valid")
    }

    /// One line a problem.
    package var description: String {
        diagnostics.map(\.description).joined(separator: "\n")
    }
}
