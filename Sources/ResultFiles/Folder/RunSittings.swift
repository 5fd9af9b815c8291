import FoundationEssentials
import Glibc
import Reports
package import Results
package import SystemPackage

/// A run that ended early and is resumed in its folder.
///
/// Each time that it runs is a sitting, which writes its own folder of results below `sittings`. At the end, the run's
/// folder gets the merged results of all sittings. A process may be killed at any moment: the next one finds the
/// finished cells.
package final class RunSittings: Sendable {
    /// The run's folder.
    package let folder: FilePath
    /// The results so far, the first sitting's first.
    package let earlier: [RunResult]
    private let hold: ResultsLock

    private static let folderName = "sittings"

    /// Reads a run that is to be resumed; moves nothing yet.
    ///
    /// Throws ``ResultFileError`` as ``ResultsLock`` does, and if there is no run or its result cannot be read.
    package init(of folder: FilePath, command: [String]) throws {
        guard folder.isFolder else {
            throw ResultFileError.noRun(folder, reason: "it is not a folder, or does not exist")
        }
        (self.folder, hold) = (folder, try ResultsLock(folder, command: command))
        let root = folder.appending(Self.folderName)
        let sittings = try Self.sittings(in: root).map(\.run)
        let first = try Self.result(in: Self.draft(in: root)) ?? Self.result(in: folder)
        earlier = sittings.isEmpty ? [first].compactMap(\.self) : sittings
        if earlier.isEmpty { throw ResultFileError.noRun(folder, reason: "it has no result.json") }
    }

    /// Moves the files of the first sitting into a folder of their own.
    ///
    /// Throws ``ResultFileError`` if that fails; after a failure or a kill, the next resumption moves the rest.
    package func begin() throws {
        guard Self.numbers(in: root).isEmpty else { return }
        let draft = Self.draft(in: root)
        // The result is moved last: until then the run is found in its old place.
        let names =
            [ReportFormat.eventsFileName, CellFiles.bundles, CellFiles.captures, CellFiles.schedules]
            + [ReportFormat.json.fileName].compactMap(\.self)
        do {
            try FileManager.default.createDirectory(atPath: draft.string, withIntermediateDirectories: true)
            let kept: [FileType?] = [.regular, .directory]
            for name in names where kept.contains(folder.appending(name).fileType) {
                try Self.rename(folder.appending(name), draft.appending(name))
            }
            try Self.rename(draft, root.appending("1"))
        } catch {
            throw ResultFileError(unwritten: draft, error)
        }
    }

    /// The folder for the next sitting.
    package var next: FilePath { root.appending("\((Self.numbers(in: root).last ?? 0) + 1)") }

    /// The folder of all sittings.
    private var root: FilePath { folder.appending(Self.folderName) }

    /// Which part of a divided run it is; nil for a whole run.
    package var shard: ShardNumber? { earlier[0].shard }

    /// The latest result of each cell, by name; none of a cell that a later sitting planned again and did not finish.
    package var cells: [String: CellResult] {
        var cells: [String: CellResult] = [:]
        for run in earlier {
            let lacks = Set(run.unfinishedCells ?? [])
            cells = cells.filter { !lacks.contains($0.key) && !lacks.contains($0.value.scenario) }
            for cell in run.cells { cells[cell.name] = cell }
        }
        return cells
    }

    /// The names of all cells of the run, finished or not.
    package var names: Set<String> {
        Set(earlier.flatMap { $0.cells.map(\.name) + ($0.unfinishedCells ?? []) })
    }

    /// Merges all sittings, with cells in the given order of names; removes their folders if the run is now whole.
    ///
    /// Returns the result, and the names of the files that were written. Throws as ``ResultMerge`` does.
    package func finish(order: [String], toolVersion: String) throws -> (result: RunResult, files: [String]) {
        let merge = ResultMerge(
            sittings: try Self.sittings(in: root).map { ResultMerge.Shard(folder: $0.folder, run: $0.run) },
            order: order)
        let (result, _, files) = try merge.write(
            to: folder, hold: hold, commandLine: earlier[0].commandLine, toolVersion: toolVersion)
        if result.isWhole { Self.remove(in: folder) }
        return (result, files)
    }

    /// Removes the sittings of an earlier run, which do not belong to a new run in its folder.
    static func remove(in folder: FilePath) {
        let root = folder.appending(folderName)
        guard root.isFolder else { return }
        // The first one last, because it names all cells.
        for sitting in numbers(in: root).reversed().map({ root.appending("\($0)") }) + [draft(in: root)]
        where sitting.isFolder {
            try? FileManager.default.removeItem(atPath: sitting.string)
        }
        // Fails if other files are in it.
        rmdir(root.string)
    }

    private static func numbers(in root: FilePath) -> [Int] {
        root.namesInFolder.compactMap { Int($0) }.filter { $0 > 0 }.sorted()
    }

    private static func sittings(in root: FilePath) throws -> [(folder: FilePath, run: RunResult)] {
        try numbers(in: root).compactMap { number in
            let folder = root.appending("\(number)")
            // A sitting that was killed before its first result has done nothing.
            guard let run = try result(in: folder) else { return nil }
            return (folder, run)
        }
    }

    private static func result(in folder: FilePath) throws -> RunResult? {
        do { return try RunResult.read(in: folder) } catch {
            throw ResultFileError.noRun(folder, reason: "its result.json cannot be used: \(error.reason)")
        }
    }

    private static func draft(in root: FilePath) -> FilePath { root.appending("1.part") }

    private static func rename(_ from: FilePath, _ to: FilePath) throws {
        guard Glibc.rename(from.string, to.string) == 0 else { throw Errno(rawValue: errno) }
    }
}
