import Glibc
package import Results
package import SystemPackage

extension ResultMerge {
    /// Writes the whole result, with its events, schedules, captures and bundles, into a folder.
    ///
    /// `hold` is what keeps others from writing to the folder; nil, the default: this sees to it itself. Answers the result, names of
    /// files that cells name and that were not there, and the names of the files that were written. Paths of the results are followed only
    /// right into the folders where such files belong, and nothing but files and folders is copied. `ending` is why the whole ended
    /// early; nil, the default, where that is to be seen from the shards. Throws ``MergeError`` and ``ResultFileError``.
    package func write(
        to output: FilePath, hold: ResultsLock? = nil, commandLine: [String], toolVersion: String,
        ending: Finding? = nil
    ) throws -> (RunResult, missing: [String], written: [String]) {
        for shard in shards where Self.isSame(shard.folder, output) { throw MergeError.intoItself(output) }
        let folder = try ResultsFolder(output, hold: hold, command: commandLine)
        // Whoever finds it half done must not take it for all.
        let begun = Finding(.unfinished, "the results are being put together")
        try folder.write(result([], commandLine: commandLine, toolVersion: toolVersion, ending: begun))
        var files = MergedFiles(output: output)
        var cells: [CellResult] = []
        for one in taken {
            cells.append(try files.copy(one.cell, from: shards[one.shard].folder))
        }
        for (index, shard) in shards.enumerated() {
            let own = taken.filter { $0.shard == index }
            let isAll = own.count == shard.run.cells.count
            try folder.appendEvents(
                of: shard.folder, keeping: isAll ? nil : Set(own.flatMap { [$0.cell.name, $0.cell.scenario] }))
        }
        let run = result(cells, commandLine: commandLine, toolVersion: toolVersion, ending: ending)
        try folder.writePage(run)
        try folder.write(run)
        return (run, files.missing, folder.writtenNames)
    }

    /// What is to be said of files that cells name and that were not there; nil where all were.
    package static func remark(onMissing names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        let more = names.count > 3 ? " and \(names.count - 3) more" : ""
        return
            "Files that cells name were not there: \(names.prefix(3).map { "'\($0)'" }.joined(separator: ", "))\(more)."
    }

    /// Whether both are one folder, whatever they are called.
    private static func isSame(_ first: FilePath, _ second: FilePath) -> Bool {
        var one = stat()
        var other = stat()
        guard stat(first.string, &one) == 0, stat(second.string, &other) == 0 else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
}
