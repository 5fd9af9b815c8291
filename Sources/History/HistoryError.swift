package import SystemPackage

/// Why a history could not be used.
package enum HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no such file.
    case missing(FilePath)
    /// The file is not a history.
    case foreign(FilePath)
    /// A later Headwind wrote it.
    case newer(FilePath)
    /// The file is damaged.
    case damaged(FilePath, reason: String)
    /// The file could not be opened or written to; with the system's error for its place, if there is one.
    case unusable(FilePath, reason: String, Errno? = nil)
    /// Another process kept it locked.
    case busy(FilePath)
    /// The disk is full.
    case full(FilePath)

    package var description: String {
        switch self {
        case .missing(let path):
            "There is no history at '\(path)'. Record runs in it with 'headwind run --history \(path)', or name another."
        case .foreign(let path):
            "Could not use '\(path)' as a history: it is a file of another kind, and stays unchanged. Name another with "
                + "--history."
        case .newer(let path):
            "Could not use the history '\(path)': a later Headwind wrote it. Use that version, or name another with --history."
        case .damaged(let path, let reason):
            "Could not use the history '\(path)': it is damaged (\(reason)). Save what is left with 'sqlite3 \(path) .recover', "
                + "or move it away, and Headwind makes a new one."
        case .unusable(let path, let reason, _):
            "Could not use the history '\(path)': \(reason). Check the permissions of it and its folder, or name "
                + "another with --history."
        case .busy(let path):
            "Could not use the history '\(path)': another process has been writing to it for \(RunHistory.patience) s. Run again."
        case .full(let path):
            "Could not write to the history '\(path)': the disk is full. Make room, or see 'headwind report history --prune-to'."
        }
    }
}
