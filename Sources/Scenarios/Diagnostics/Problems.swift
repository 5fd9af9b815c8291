package import Documents

/// Collects the problems of one file; reading continues after a problem, so that all are reported at once.
final class Problems {
    /// The file as the user named it.
    let file: String
    private(set) var found: Set<Diagnostic> = []
    /// The first place of each name of a pack, tag or program; whether it exists is only known when content is built.
    private(set) var nameMarks: [String: Mark] = [:]

    /// The maximum of problems: more would not help the user, and a hostile file could have a million.
    private static let most = 200

    /// Whether further problems are dropped.
    var isFull: Bool { found.count >= Self.most }

    init(file: String) { self.file = file }

    /// Adds a problem at `mark`.
    ///
    /// The same problem at the same place is added once.
    func add(_ message: String, at mark: Mark, hint: String? = nil) {
        take([Diagnostic(file: file, mark: mark, message: message, hint: hint)])
    }

    /// Adds a problem at `mark`, and returns nil, which stands for the value that has the problem.
    func refuse<Value>(_ message: String, at mark: Mark, hint: String? = nil) -> Value? {
        add(message, at: mark, hint: hint)
        return nil
    }

    /// Notes that a pack, tag or program is named at `mark`; only its first place is kept.
    func mention(_ name: String, at mark: Mark) {
        if nameMarks[name] == nil { nameMarks[name] = mark }
    }

    /// Adds problems that were found elsewhere, such as in a profile that a scenario names.
    func take(_ diagnostics: some Sequence<Diagnostic>) {
        for diagnostic in diagnostics where !isFull { found.insert(diagnostic) }
    }

    /// Throws all problems, if there are any.
    func check() throws(InvalidFiles) {
        if !found.isEmpty { throw InvalidFiles(found) }
    }
}

/// Files that cannot be used, with all their problems.
package struct InvalidFiles: Error, Hashable, Sendable, CustomStringConvertible {
    /// All problems, in order of file and position; at least one.
    package let diagnostics: [Diagnostic]

    package init(_ diagnostics: some Sequence<Diagnostic>) {
        self.diagnostics = Set(diagnostics).sorted()
        precondition(!self.diagnostics.isEmpty, "files without a problem are valid")
    }

    /// One problem; without a `file` it is in the arguments.
    package init(_ message: String, file: String = "", at mark: Mark = .start, hint: String? = nil) {
        self.init([Diagnostic(file: file, mark: mark, message: message, hint: hint)])
    }

    /// One line a problem.
    package var description: String { diagnostics.map(\.description).joined(separator: "\n") }

    /// All problems without their places, as sentences; the last one has no full stop.
    package var sentences: String { diagnostics.map(\.text).joined(separator: ". ") }
}

extension Sequence {
    /// The result of `read` for each element; throws the problems of all elements together.
    package func readingEach<Value>(
        _ read: (Element) throws(InvalidFiles) -> Value
    ) throws(InvalidFiles) -> [Value] {
        var (values, diagnostics): ([Value], [Diagnostic]) = ([], [])
        for element in self {
            do { values.append(try read(element)) } catch { diagnostics += error.diagnostics }
        }
        if !diagnostics.isEmpty { throw InvalidFiles(diagnostics) }
        return values
    }
}
