import Documents

/// The problems of one file, gathered while it is read: reading goes on behind a problem, so that all are told at once.
final class Problems {
    /// The file as the user named it.
    let file: String
    private(set) var found: Set<Diagnostic> = []
    /// Where each pack or tag is named first: whether there is such a one, only the content can tell.
    private(set) var packMarks: [String: Mark] = [:]

    /// More than this many help nobody, and a hostile file could have a million.
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

    /// Notes that a pack or tag is named at `mark`.
    func mention(pack: String, at mark: Mark) {
        if packMarks[pack] == nil { packMarks[pack] = mark }
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
