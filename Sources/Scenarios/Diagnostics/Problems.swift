import Documents

/// The problems of one file, gathered while it is read: reading goes on behind a problem, so that all are told at once.
final class Problems {
    /// The file as the user named it.
    let file: String
    private(set) var found: Set<Diagnostic> = []
    /// Where each pack, tag and program is named first: whether it exists is known only when content is built.
    private(set) var nameMarks: [String: Mark] = [:]

    /// More than this many do not help, and a hostile file could have a million.
    private static let most = 200

    /// Whether more would not be taken.
    var isFull: Bool { found.count >= Self.most }

    init(file: String) {
        self.file = file
    }

    /// Notes what is wrong at `mark`.
    ///
    /// The same problem at the same place is one problem.
    func add(_ message: String, at mark: Mark, hint: String? = nil) {
        take([Diagnostic(file: file, mark: mark, message: message, hint: hint)])
    }

    /// Notes that a pack, tag or program is named at `mark`.
    func mention(_ name: String, at mark: Mark) {
        if nameMarks[name] == nil { nameMarks[name] = mark }
    }

    /// Takes over what was found elsewhere, such as in a profile that a scenario names.
    func take(_ diagnostics: some Sequence<Diagnostic>) {
        for diagnostic in diagnostics where !isFull { found.insert(diagnostic) }
    }

    /// Throws what was found, if anything was.
    func check() throws(InvalidFiles) {
        if !found.isEmpty { throw InvalidFiles(found) }
    }
}

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
