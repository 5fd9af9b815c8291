package import SystemPackage

/// Why a cell cannot be opened to this machine's networks.
package struct CellOutsideError: Error, Equatable, CustomStringConvertible {
    /// The program that was to do it.
    package let program: FilePath
    /// What happened, and what to try.
    package let problem: String

    package var description: String {
        "Could not join the cell to this machine's networks by '\(program)': \(problem)"
    }
}
