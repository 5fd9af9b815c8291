package import Documents
package import SystemPackage

/// A scenario file after reading and all checks: its cells are ready to run.
package struct Scenario: Hashable, Sendable {
    /// The file, as the user named it.
    package var file: FilePath
    /// The file's name without its extension: `tunnel`; `FOLDER/tunnel` in a subfolder of the loaded folder.
    package var name: String
    /// The scenario's title in the file.
    package var title: String
    /// One cell for each point of the matrix, in the order of the file; at least one.
    package var cells: [Cell]
    /// Where the file sets what is downloaded.
    package var contentMark: Mark
    /// Where the file first names each pack, tag and program.
    package var nameMarks: [String: Mark]

    /// The maximum number of cells of a matrix.
    package static let mostCells = 1000
}

extension Scenario {
    /// A problem at a place of the scenario's file.
    package func diagnostic(_ message: String, at mark: Mark, hint: String? = nil) -> Diagnostic {
        Diagnostic(file: file.string, mark: mark, message: message, hint: hint)
    }

    /// A problem where the file names something, or else where it sets what is downloaded.
    package func diagnostic(_ message: String, for name: String, hint: String?) -> Diagnostic {
        diagnostic(message, at: nameMarks[name] ?? contentMark, hint: hint)
    }
}
