package import Results
package import SystemPackage

/// What a run tells while it goes on.
package enum RunProgress: Sendable {
    /// So many cells are to be run.
    case planned(cells: Int)
    /// A run that ended early goes on; so many of its cells are finished already.
    case takenUp(finished: Int, of: Int)
    /// The folder for what must not remain is there.
    case made(scratch: FilePath)
    /// Something remains although all was ended, and why.
    case left(String)
    /// Links are put there by a proxy although it was not asked for, and why, as sentences.
    case proxied(why: String)
    case began(cell: String)
    /// The link of a cell is being measured, which takes seconds, and minutes where it is very slow.
    case calibrating(cell: String)
    /// An attempt of a cell begins: its number, and how many are planned.
    case attempting(cell: String, number: Int, planned: Int)
    /// A cell says nothing, because too much went on beside it, and runs again later.
    case postponed(cell: String, why: Finding)
    /// Nothing of a cell runs any more.
    case ended(cell: String)
    /// The run has written these reports into its folder.
    case filed(names: [String])
    /// A cell has its verdict; `done` have one by now. Each is told of when it has ended, in whatever order they do.
    case judged(CellResult, done: Int, of: Int)
}
