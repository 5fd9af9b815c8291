import FoundationEssentials
import Glibc
import LinkModel
import PackFormat
package import Reports
import Results
import Scenarios
import Synchronization
import SystemPackage

/// The folder of a run's results, written cell by cell, so that a crash keeps the finished cells.
final class ResultsFolder: Sendable {
    let path: FilePath
    let events: FileDescriptor
    private let hold: ResultsLock
    /// The names of the files whose last write succeeded.
    private let written = Mutex<Set<String>>([ReportFormat.eventsFileName])
    /// The position of each cell's events, in the order in which they were written.
    let extents = Mutex<[Extent]>([])

    /// A part of the file of events, in bytes.
    struct Extent {
        var cell: Int
        var from: Int64
        var bytes: Int
    }

    /// Makes the folder, and removes the files that an earlier run left in it.
    ///
    /// Without a `hold`, locks the folder while this object exists.
    ///
    /// Throws as ``ResultsLock`` does, and ``ResultFileError/noResultsFolder(_:reason:_:)`` also if one of the reports
    /// cannot be written. It throws ``ResultFileError/foreignFiles(_:names:)``, having changed nothing, if a report
    /// would replace a file that is not Headwind's.
    init(_ path: FilePath, hold: ResultsLock? = nil, command: [String] = []) throws {
        self.path = path
        self.hold = try hold ?? ResultsLock(path, command: command)
        try Self.check(path)
        let foreign = ReportOwner(folder: path).foreignNames
        guard foreign.isEmpty else { throw ResultFileError.foreignFiles(path, names: foreign) }
        EarlierResults(folder: path).remove()
        // Replaced only at the end of this run.
        unlink(path.appending(ReportFormat.html.fileName ?? "").string)
        // The page of a run would include an earlier check.
        let check = path.appending(ClientReport.fileName)
        if check.fileType == .regular, !ReportOwner(folder: path).hasForeignCheck { unlink(check.string) }
        events = try Self.openEvents(in: path)
    }

    /// Checks that each report can be written, because that is needed at the end of a run.
    private static func check(_ path: FilePath) throws {
        for name in ReportFormat.allCases.compactMap(\.fileName) {
            do { try AtomicFile.check(path.appending(name)) } catch {
                let reason = "'\(name)' in it cannot be written: \(error.systemReason)"
                throw ResultFileError.noResultsFolder(path, reason: reason, error.systemErrno)
            }
        }
    }

    /// Opens the file of events, the only file that is not replaced as a whole.
    ///
    /// Links are not followed: opening one would empty another file.
    private static func openEvents(in path: FilePath) throws -> FileDescriptor {
        let name = ReportFormat.eventsFileName
        do {
            let file = try FileDescriptor.open(
                path.appending(name), .readWrite,
                options: [.create, .noFollow, .nonBlocking, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            return try file.closeOnFailure {
                guard try file.stat().type == .regular else { throw Errno.invalidArgument }
                guard ftruncate(file.rawValue, 0) == 0 else { throw Errno(rawValue: errno) }
                return file
            }
        } catch {
            let reason =
                switch error.systemErrno {
                case .tooManySymbolicLinkLevels?: "'\(name)' in it is a link, which is not followed; remove it"
                case .invalidArgument?: "'\(name)' in it is not a file; remove it"
                default: "'\(name)' in it cannot be written: \(error.systemReason)"
                }
            throw ResultFileError.noResultsFolder(path, reason: reason, error.systemErrno)
        }
    }

    deinit {
        try? events.close()
    }

    /// Its path in reports, relative to the folder of the project.
    var projectName: String { ProjectFolder.name(of: path) }

    /// Writes the schedule that an attempt recorded; makes its folder.
    func write(_ schedule: FaultSchedule, named name: String) throws {
        let file = path.appending(name)
        do {
            try file.makeParent()
            try AtomicFile.write(schedule.text.utf8, to: file)
        } catch {
            throw ResultFileError(unwritten: file, error)
        }
    }

    /// Writes a bundle, whole or not at all, and returns its path relative to the results.
    ///
    /// Replaces a bundle of the same name, of an earlier run.
    func write(_ draft: BundleDraft) throws -> String {
        let name = "\(CellFiles.bundles)/\(draft.name)"
        try draft.write(to: path.appending(name))
        return name
    }

    /// Writes the HTML page, with timelines of the events that were written.
    func writePage(_ run: RunResult) throws {
        try writing(ReportFormat.html.fileName ?? "") { page in
            var report = HTMLReport()
            report.add(run.cells)
            let names = run.left == nil ? nil : Set(run.cells.flatMap { [$0.name, $0.scenario] })
            let events = try EventFile(path.appending(ReportFormat.eventsFileName), of: names)
            try AtomicFile.write(report.render(run, events: events, charts: .installed), to: page)
        }
    }

    /// Writes every report of a run except the page; each file is replaced as a whole.
    func write(_ run: RunResult) throws {
        let clean = run.redacted
        try write(clean, cells: clean.cells.map { try $0.json() })
        try writeOverviews(of: run)
    }

    /// Writes the result so far; the file is replaced as a whole.
    ///
    /// `cells` has the redacted `CellResult.json()` of each cell: finished cells do not change any more.
    func write(_ run: RunResult, cells: [Data]) throws {
        var shell = run
        shell.cells = []
        try write(shell.redacted, of: cells.count, cells: cells)
    }

    /// Writes the result from the texts of its `count` cells, one after the other; the file is replaced as a whole.
    ///
    /// `run` has no secrets. `last` (default: nothing) runs before the file gets its name.
    func write(
        _ run: RunResult, of count: Int, cells: some Sequence<Data>, last: () throws -> Void = {}
    ) throws {
        let json = try run.json(of: count, cells)
        try writing(ReportFormat.json.fileName ?? "") { try AtomicFile.write(pieces: json, to: $0, last: last) }
    }

    /// Writes the reports that cover all cells, except the page; each file is replaced as a whole.
    func writeOverviews(of run: RunResult) throws {
        for (name, text) in ReportFormat.overviews(of: run, folder: projectName) {
            try writing(name) { try AtomicFile.write(text().utf8, to: $0) }
        }
    }

    /// Runs `body`, which writes a file of the folder, and records whether it succeeded.
    private func writing(_ name: String, _ body: (FilePath) throws -> Void) throws {
        do { try body(path.appending(name)) } catch { throw failure(name, error) }
        written.withLock { _ = $0.insert(name) }
    }

    func failure(_ name: String, _ error: any Error) -> ResultFileError {
        written.withLock { _ = $0.remove(name) }
        return ResultFileError(unwritten: path.appending(name), error)
    }

    /// The names of the files that this run wrote.
    var writtenNames: [String] {
        let names = ReportFormat.allCases.compactMap(\.fileName) + [ReportFormat.eventsFileName]
        return written.withLock { written in names.filter(written.contains) }
    }
}

extension ChartLibrary {
    /// The library installed with Headwind, or else Debian's; nil if there is neither.
    package static var installed: ChartLibrary? {
        ChartLibrary(folders: [BundledFiles.folder("dygraphs")?.string, folder].compactMap(\.self))
    }
}
