/// There was no thread left for what needs one.
struct ThreadShortage: Error, CustomStringConvertible {
    /// What was to be done, as in "hear signals".
    let work: String

    var description: String {
        "There is no thread left to \(work): this machine allows no more. 'ulimit -u' shows how many; end other programs, or raise it."
    }
}
