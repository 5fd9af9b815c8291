package import Documents
package import SystemPackage

/// A scenario file, read and checked whole: its cells are ready to run.
package struct Scenario: Hashable, Sendable {
    /// The file, as the user named it.
    package var file: FilePath
    /// The file's name without its extension, with its folder's where a folder of folders was loaded: `tunnel`.
    package var name: String
    /// What the file calls the scenario, for people.
    package var title: String
    /// One cell for each point of the matrix, in the order of the file; at least one.
    package var cells: [Cell]
    /// Where the file says what is downloaded.
    package var contentMark: Mark
    /// Where the file names each pack, tag and program first.
    package var nameMarks: [String: Mark]

    /// The most cells that a matrix makes.
    package static let mostCells = 1000
}
