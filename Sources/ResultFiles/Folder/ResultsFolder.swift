import FoundationEssentials
import Glibc
import LinkModel
import PackFormat
package import Reports
import Results
import Scenarios
import Synchronization
import SystemPackage

/// The folder of a run's results, written cell by cell, so that a crash keeps what was finished.
final class ResultsFolder: Sendable {
    let path: FilePath
    let events: FileDescriptor
    private let hold: ResultsLock
    /// The names of the files that were written whole, the last time too.
    private let written = Mutex<Set<String>>([ReportFormat.eventsFileName])
    /// Where the events of each cell are, in the order in which they were written.
    let extents = Mutex<[Extent]>([])

    /// A stretch of the stream of events.
    struct Extent {
        var cell: Int
        var from: Int64
        var bytes: Int
    }

    /// Makes the folder, and removes what an earlier run has left in it; without a `hold` it is this run's as long as there is one.
    ///
    /// Throws as ``ResultsLock`` does, ``ResultFileError/noResultsFolder(_:reason:_:)`` also where one of the files to come has no
    /// place in it, and ``ResultFileError/foreignFiles(_:names:)``, having touched nothing, where one would take the place of somebody
    /// else's.
    init(_ path: FilePath, hold: ResultsLock? = nil, command: [String] = []) throws {
        self.path = path
        self.hold = try hold ?? ResultsLock(path, command: command)
        try Self.check(path)
        let foreign = ReportOwner(folder: path).foreignNames
        guard foreign.isEmpty else { throw ResultFileError.foreignFiles(path, names: foreign) }
        EarlierResults(folder: path).remove()
        // Replaced only at the end of this run.
        unlink(path.appending(ReportFormat.html.fileName ?? "").string)
        // The page of a run would count an earlier check's.
        let check = path.appending(ClientReport.fileName)
        if check.fileKind == S_IFREG, !ReportOwner(folder: path).hasForeignCheck { unlink(check.string) }
        events = try Self.openEvents(in: path)
    }

    /// Sees that each report can be written: it is wanted at the end of a run.
    private static func check(_ path: FilePath) throws {
        for name in ReportFormat.allCases.compactMap(\.fileName) {
            do { try AtomicFile.check(path.appending(name)) } catch {
                let reason = "'\(name)' in it cannot be written: \(error.systemReason)"
                throw ResultFileError.noResultsFolder(path, reason: reason, error.systemErrno)
            }
        }
    }

    /// Opens the stream of events, which is the one file that is not replaced as a whole.
    ///
    /// No link is followed: it would have somebody else's file emptied and written over.
    private static func openEvents(in path: FilePath) throws -> FileDescriptor {
        let name = ReportFormat.eventsFileName
        do {
            let file = try FileDescriptor.open(
                path.appending(name), .readWrite,
                options: [.create, .noFollow, .nonBlocking, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            do {
                var status = stat()
                guard fstat(file.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
                guard status.st_mode & S_IFMT == S_IFREG else { throw Errno.invalidArgument }
                guard ftruncate(file.rawValue, 0) == 0 else { throw Errno(rawValue: errno) }
            } catch {
                try? file.close()
                throw error
            }
            return file
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

    /// What readers of reports call it, who begin at the folder of the project.
    var projectName: String { ProjectFolder.name(of: path) }

    /// Writes the schedule that an attempt recorded; the folder that it is named in is made.
    func write(_ schedule: FaultSchedule, named name: String) throws {
        let file = path.appending(name)
        do {
            let folder = file.removingLastComponent().string
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try AtomicFile.write(schedule.text.utf8, to: file)
        } catch {
            throw ResultFileError(unwritten: file, error)
        }
    }

    /// Writes a bundle, whole or not at all, and answers where it is, relative to the results.
    ///
    /// One of the same name, of an earlier run, is replaced.
    func write(_ draft: BundleDraft) throws -> String {
        let name = "\(CellFiles.bundles)/\(draft.name)"
        try draft.write(to: path.appending(name))
        return name
    }

    /// Writes the page for people, with the timelines of the events that were written.
    func writePage(_ run: RunResult) throws {
        try writing(ReportFormat.html.fileName ?? "") { page in
            var report = HTMLReport()
            report.add(run.cells)
            let names = run.left == nil ? nil : Set(run.cells.flatMap { [$0.name, $0.scenario] })
            let events = try EventFile(path.appending(ReportFormat.eventsFileName), of: names)
            try AtomicFile.write(report.render(run, events: events, charts: .installed), to: page)
        }
    }

    /// Writes every report of a run, but for the page; each file is replaced as a whole.
    func write(_ run: RunResult) throws {
        let clean = run.redacted
        try write(clean, cells: clean.cells.map { try $0.json() })
        try writeOverviews(of: run)
    }

    /// Writes the result as far as it has come; the file is replaced as a whole.
    ///
    /// `cells` is what `CellResult.json()` gave of each of its cells without secrets: what is finished does not change any more.
    func write(_ run: RunResult, cells: [Data]) throws {
        var shell = run
        shell.cells = []
        let json = try shell.redacted.json(cells: cells)
        try writing(ReportFormat.json.fileName ?? "") { try AtomicFile.write(pieces: json, to: $0) }
    }

    /// Writes the result whose cells' texts come one after the other, `count` of them; the file is replaced as a whole.
    ///
    /// `run` has no secrets. `last` is done before the file takes its place.
    func write(
        _ run: RunResult, of count: Int, cells: some Sequence<Data>, last: () throws -> Void
    ) throws {
        let json = try run.json(of: count, cells)
        try writing(ReportFormat.json.fileName ?? "") { try AtomicFile.write(pieces: json, to: $0, last: last) }
    }

    /// Writes the reports that are made of all cells, but for the page; each file is replaced as a whole.
    func writeOverviews(of run: RunResult) throws {
        for (name, text) in ReportFormat.overviews(of: run, folder: projectName) {
            try writing(name) { try AtomicFile.write(text().utf8, to: $0) }
        }
    }

    /// Runs `body`, which writes a file of the folder, and keeps whether it could.
    private func writing(_ name: String, _ body: (FilePath) throws -> Void) throws {
        do { try body(path.appending(name)) } catch { throw failure(name, error) }
        written.withLock { _ = $0.insert(name) }
    }

    func failure(_ name: String, _ error: any Error) -> ResultFileError {
        written.withLock { _ = $0.remove(name) }
        return ResultFileError(unwritten: path.appending(name), error)
    }

    /// The names of the reports that are there, and of this run.
    var writtenNames: [String] {
        let names = ReportFormat.allCases.compactMap(\.fileName) + [ReportFormat.eventsFileName]
        return written.withLock { written in names.filter(written.contains) }
    }
}

extension ChartLibrary {
    /// The library that came with Headwind, or else Debian's; nil where neither is there.
    package static var installed: ChartLibrary? {
        ChartLibrary(folders: [BundledFiles.folder("dygraphs")?.string, folder].compactMap(\.self))
    }
}
