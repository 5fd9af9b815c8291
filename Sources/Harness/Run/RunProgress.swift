package import Results
package import SystemPackage

/// What a run tells while it goes on.
package enum RunProgress: Sendable {
    /// So many cells are to be run.
    case planned(cells: Int)
    /// The folder for what must not remain is there.
    case made(scratch: FilePath)
    /// Something remains although all was ended, and why.
    case left(String)
    case began(cell: String)
    /// The link of a cell is being measured, which takes seconds, and minutes where it is very slow.
    case calibrating(cell: String)
    /// An attempt of a cell begins: its number, and how many are planned.
    case attempting(cell: String, number: Int, planned: Int)
    /// A cell has its verdict; so many of all are done.
    case judged(CellResult, done: Int, of: Int)
}
