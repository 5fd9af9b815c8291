package import SystemPackage

/// A scenario file, read and checked whole: its cells are ready to run.
package struct Scenario: Hashable, Sendable {
    /// The file, as the user named it.
    package let file: FilePath
    /// The file's name without its extension, with its folder's where a folder of folders was loaded: `tunnel`.
    package let name: String
    /// What the file calls the scenario, for people.
    package let title: String
    /// One cell for each point of the matrix, in the order of the file; at least one.
    package let cells: [Cell]

    /// The most cells that a matrix makes.
    package static let mostCells = 1000
}
