package import SystemPackage

/// Why results cannot be merged.
package enum MergeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Two results have different cells with one name.
    case twice(cell: String, FilePath, FilePath)
    /// Files of two cells have the same name.
    case sameFile(String, FilePath, FilePath)
    /// There are more results than required.
    case tooMany(Int, required: Int)
    /// Two results are shards of runs that were divided differently.
    case otherDivision(FilePath, FilePath)
    /// The output folder is one of the inputs.
    case intoItself(FilePath)
    /// Attempts of one cell were made on different kinds of machines, with the difference.
    case unlike(cell: String, reason: String)
    /// A file was changed while it was read.
    case changed(FilePath)

    package var description: String {
        switch self {
        case .twice(let cell, let first, let second):
            "Could not merge the results: the cell '\(cell)' is in '\(first)' and in '\(second)', and they differ. Leave one of "
                + "them out; Headwind cannot choose between them."
        case .sameFile(let name, let first, let second):
            "Could not merge the results: '\(name)' is in '\(first)' and in '\(second)', for different cells. One of them was "
                + "changed since it was written; leave it out."
        case .tooMany(let count, let required):
            "Could not merge the results: \(count) are named, but --require says \(required). Name only those of this run, or "
                + "correct the number."
        case .otherDivision(let first, let second):
            "Could not merge the results: '\(first)' and '\(second)' are shards of different runs, or of a run whose scenarios or "
                + "durations changed in between. Run all shards of one commit, with the same options."
        case .intoItself(let folder):
            "Could not write the results to '\(folder)', which is one of the results to merge. Name another folder by --output."
        case .unlike(let cell, let reason):
            "Could not judge the attempts of the cell '\(cell)' together: \(reason). Run them on machines of the same kind, or "
                + "without --attempts-across, so that one machine makes all attempts of a cell."
        case .changed(let file):
            "Could not merge the results: '\(file)' was changed while it was read. Wait until its run has ended, and merge "
                + "again."
        }
    }
}
