package import Results
package import SystemPackage
import Wording

extension ResultMerge {
    /// Writes the merged result, with its events, schedules, captures and bundles, into a folder.
    ///
    /// `hold` is the lock on the folder; nil, the default: this takes it itself. `ending` is why the whole ended early;
    /// nil, the default: the shards show it. Returns the result, the files that cells name and that do not exist, and
    /// the names of the files that were written. Paths in results are followed only directly into the folders for such
    /// files, and only files and folders are copied. Throws ``MergeError`` and ``ResultFileError``.
    package func write(
        to output: FilePath, hold: ResultsLock? = nil, commandLine: [String], toolVersion: String,
        ending: Finding? = nil
    ) throws -> (RunResult, missing: [String], written: [String]) {
        for shard in shards where Self.isSame(shard.folder, output) { throw MergeError.intoItself(output) }
        let folder = try ResultsFolder(output, hold: hold, command: commandLine)
        // A reader must not take an unfinished merge for all of it.
        let begun = Finding(.unfinished, "the merge has not finished")
        try folder.write(result([], commandLine: commandLine, toolVersion: toolVersion, ending: begun))
        for (index, own) in cellsByShard.enumerated() {
            let isAll = own.count == shards[index].cells.count
            try folder.appendEvents(
                of: shards[index].folder,
                keeping: isAll ? nil : Set(own.flatMap { [$0.summary.name, $0.summary.scenario] }))
        }
        let keeping = keeping
        let cells = MergedCells(self, keeping: keeping, into: output)
        let shell = clean(
            result([], left: tally { _ in true }, commandLine: commandLine, toolVersion: toolVersion, ending: ending))
        let left = keeping.map { kept in tally { !kept.contains($0) } }
        var whole: RunResult?
        do {
            // The result gets its name after all other files, so that a reader never takes a part for all of it.
            try folder.write(shell, of: taken.count, cells: cells) {
                if let failure = cells.failure { throw failure }
                let run = result(
                    cells.kept, left: left, commandLine: commandLine, toolVersion: toolVersion, ending: ending)
                try folder.writePage(run)
                try folder.writeOverviews(of: run)
                whole = run
            }
        } catch {
            throw cells.failure ?? error
        }
        guard let whole else { throw ResultFileError.notWritten(output, reason: "the merge has no result") }
        return (whole, cells.files.missing, folder.writtenNames)
    }

    /// The numbers of the cells that reports include: the worst if there are too many; nil: all.
    private var keeping: Set<Int>? {
        guard taken.map(\.cell.bytes).reduce(0, +) > limits.bytes else { return nil }
        var (kept, bytes): (Set<Int>, Int) = ([], 0)
        for number in taken.indices.sorted(by: { (taken[$0].cell.rank, $0) < (taken[$1].cell.rank, $1) }) {
            bytes += taken[number].cell.bytes
            guard kept.count < limits.keptCells, bytes <= limits.keptBytes else { break }
            kept.insert(number)
        }
        return kept
    }

    private func tally(where isMeant: (Int) -> Bool) -> CellTally {
        var tally = CellTally()
        for number in taken.indices where isMeant(number) { tally.add(taken[number].cell.summary) }
        return tally
    }

    /// A result without its cells and without secrets, also in the names of its shards' cells.
    private func clean(_ shell: RunResult) -> RunResult {
        var shell = shell
        let renamed = taken.map(\.cell).filter { $0.cleanName != $0.summary.name }
        let names = Dictionary(renamed.map { ($0.summary.name, $0.cleanName) }) { first, _ in first }
        shell.shards = shell.shards?.changingEach { shard in shard.cells = shard.cells.map { names[$0] ?? $0 } }
        return shell.redacted
    }

    /// A sentence about files that cells name and that do not exist; nil if all do.
    package static func remark(onMissing names: [String]) -> String? {
        names.isEmpty ? nil : "Files that cells name were not there: \(names.quoted(most: 3))."
    }

    /// Whether both paths are the same folder.
    private static func isSame(_ first: FilePath, _ second: FilePath) -> Bool {
        guard let one = try? first.stat(), let other = try? second.stat() else { return false }
        return one.deviceID == other.deviceID && one.inode == other.inode
    }
}
