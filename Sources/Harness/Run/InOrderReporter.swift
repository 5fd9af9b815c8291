import Results

/// Holds cells back until all before them are there, so that a run tells of them in the same order every time.
struct InOrderReporter {
    /// How many have been told of.
    private(set) var count = 0
    private var waiting: [Int: CellResult] = [:]

    /// Takes a cell, and answers those that are to be told of now, each with how many have been by then.
    mutating func next(_ result: CellResult, at index: Int) -> [(cell: CellResult, done: Int)] {
        waiting[index] = result
        var due: [(CellResult, Int)] = []
        while let result = waiting.removeValue(forKey: count) {
            count += 1
            due.append((result, count))
        }
        return due
    }
}
