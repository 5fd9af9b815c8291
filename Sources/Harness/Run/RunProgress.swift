package import Results
package import SystemPackage

/// An event that a run reports while it goes on.
package enum RunProgress: Sendable {
    /// The number of cells to run.
    case planned(cells: Int)
    /// A run that ended early continues; this number of its cells is finished already.
    case takenUp(finished: Int, of: Int)
    /// The folder for temporary files exists.
    case made(scratch: FilePath)
    /// Something remains after the run, with the reason.
    case left(String)
    /// A proxy carries links although it was not requested, with the reason in sentences.
    case proxied(why: String)
    case began(cell: String)
    /// The link of a cell is being measured, which takes seconds, or minutes if it is very slow.
    case calibrating(cell: String)
    /// An attempt of a cell begins: its number, and how many are planned.
    case attempting(cell: String, number: Int, planned: Int)
    /// A cell has no result because others disturbed it, and runs again later.
    case postponed(cell: String, why: Finding)
    /// All processes of a cell have ended.
    case ended(cell: String)
    /// The run has written these reports into its folder.
    case filed(names: [String])
    /// A cell has its verdict, and `done` cells have one by now; cells are reported in the order in which they end.
    case judged(CellResult, done: Int, of: Int)
}
