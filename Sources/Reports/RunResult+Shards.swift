import Results

extension RunResult {
    /// What the results are called that were put together here: their folders, with a number where two are called alike.
    var shardNames: [String] {
        let folders = (shards ?? []).map(\.folder)
        return folders.enumerated().map { index, folder in
            let isAlone = folders.count { $0 == folder } == 1
            return isAlone ? folder : "\(folder) (\(index + 1) of \(folders.count))"
        }
    }

    /// The names of the cells that are from each of them; empty for one run's result.
    var cellsOfShards: [[String]] { (shards ?? []).map(\.cells) }

    /// From which of them a cell is, by the cell's name: `from the results in shard-2`.
    var originTexts: [String: String] {
        var texts: [String: String] = [:]
        for (name, cells) in zip(shardNames, cellsOfShards) {
            for cell in cells { texts[cell] = "from the results in \(name)" }
        }
        return texts
    }
}
