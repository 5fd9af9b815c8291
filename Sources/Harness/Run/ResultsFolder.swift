import FoundationEssentials
import Glibc
import LinkModel
import PackFormat
import Reports
import Results
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
    private let extents = Mutex<[Extent]>([])

    /// A stretch of the stream of events.
    private struct Extent {
        var cell: Int
        var from: Int64
        var bytes: Int
    }

    /// Makes the folder, and removes what an earlier run has left in it; without a `hold` it is this run's as long as there is one.
    ///
    /// Throws as ``ResultsLock`` does, ``HarnessError/noResultsFolder(_:reason:_:)`` also where one of the files to come has no
    /// place in it, and ``HarnessError/foreignFiles(_:names:)``, having touched nothing, where one would take the place of somebody
    /// else's.
    init(_ path: FilePath, hold: ResultsLock? = nil, command: [String] = []) throws {
        self.path = path
        self.hold = try hold ?? ResultsLock(path, command: command)
        try Self.check(path)
        let foreign = ReportOwner(folder: path).foreignNames
        guard foreign.isEmpty else { throw HarnessError.foreignFiles(path, names: foreign) }
        EarlierResults(folder: path).remove()
        // Replaced only at the end of this run.
        unlink(path.appending(ReportFormat.html.fileName ?? "").string)
        events = try Self.openEvents(in: path)
    }

    /// Sees that each report can be written: whoever waits for the end of a run wants to have it then.
    private static func check(_ path: FilePath) throws {
        for name in ReportFormat.allCases.compactMap(\.fileName) {
            do { try AtomicFile.check(path.appending(name)) } catch {
                let reason = "'\(name)' in it cannot be written: \(error.systemReason)"
                throw HarnessError.noResultsFolder(path, reason: reason, error.systemErrno)
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
                case .invalidArgument?: "'\(name)' in it is no file; remove it"
                default: "'\(name)' in it cannot be written: \(error.systemReason)"
                }
            throw HarnessError.noResultsFolder(path, reason: reason, error.systemErrno)
        }
    }

    deinit {
        try? events.close()
    }

    /// What readers of reports call it, who begin at the folder of the project.
    var projectName: String { ProjectFolder.name(of: path) }

    /// Adds the events of a cell, whatever its number.
    func append(_ timeline: [TimelineEvent], of cell: Int) throws {
        let text = timeline.map(\.line).joined()
        do { try events.writeAll(text.utf8) } catch { throw failure(ReportFormat.eventsFileName, error) }
        extents.withLock { extents in
            let from = extents.last.map { $0.from + Int64($0.bytes) } ?? 0
            extents.append(Extent(cell: cell, from: from, bytes: text.utf8.count))
        }
    }

    /// Puts the events of cells into the order of the cells, whichever ended first; the file is replaced as a whole.
    func arrangeEvents() throws {
        let written = extents.withLock { $0 }
        let ordered = written.sorted { $0.cell < $1.cell }
        guard ordered.map(\.cell) != written.map(\.cell) else { return }
        let file = path.appending(ReportFormat.eventsFileName)
        do {
            let (target, copy) = try AtomicFile.openNamed(beside: file)
            do {
                try target.closeAfter {
                    for extent in ordered { try copyEvents(extent, to: target) }
                    // More may come, and belongs into the new file.
                    guard dup2(target.rawValue, events.rawValue) >= 0,
                        fcntl(events.rawValue, F_SETFD, FD_CLOEXEC) >= 0
                    else { throw Errno(rawValue: errno) }
                }
                guard rename(copy.string, file.string) == 0 else { throw Errno(rawValue: errno) }
            } catch {
                unlink(copy.string)
                throw error
            }
            extents.withLock { extents in
                var from: Int64 = 0
                extents = ordered.map { extent in
                    defer { from += Int64(extent.bytes) }
                    return Extent(cell: extent.cell, from: from, bytes: extent.bytes)
                }
            }
        } catch {
            throw failure(ReportFormat.eventsFileName, error)
        }
    }

    private func copyEvents(_ extent: Extent, to target: FileDescriptor) throws {
        var (from, left) = (extent.from, extent.bytes)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while left > 0 {
            let count = try buffer.withUnsafeMutableBytes {
                try events.read(fromAbsoluteOffset: from, into: .init(rebasing: $0[..<min(left, $0.count)]))
            }
            guard count > 0 else { throw Errno.ioError }
            try target.writeAll(buffer[..<count])
            (from, left) = (from + Int64(count), left - count)
        }
    }

    /// Writes the schedule that an attempt recorded; the folder that it is named in is made.
    func write(_ schedule: FaultSchedule, named name: String) throws {
        let file = path.appending(name)
        do {
            let folder = file.removingLastComponent().string
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try AtomicFile.write(schedule.text.utf8, to: file)
        } catch {
            throw HarnessError(unwritten: file, error)
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

    /// Writes the reports that are made of all cells, but for the page; each file is replaced as a whole.
    func writeOverviews(of run: RunResult) throws {
        for (name, text) in ReportFormat.overviews(of: run, folder: projectName) {
            try writing(name) { try AtomicFile.write(text().utf8, to: $0) }
        }
    }

    /// Runs `body`, which writes a file of the folder, and keeps whether it could.
    func writing(_ name: String, _ body: (FilePath) throws -> Void) throws {
        do { try body(path.appending(name)) } catch { throw failure(name, error) }
        written.withLock { _ = $0.insert(name) }
    }

    private func failure(_ name: String, _ error: any Error) -> HarnessError {
        written.withLock { _ = $0.remove(name) }
        return HarnessError(unwritten: path.appending(name), error)
    }

    /// The names of the reports that are there, and of this run.
    var writtenNames: [String] {
        let names = ReportFormat.allCases.compactMap(\.fileName) + [ReportFormat.eventsFileName]
        return written.withLock { written in names.filter(written.contains) }
    }
}
