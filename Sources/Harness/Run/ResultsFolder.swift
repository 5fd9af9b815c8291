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
    /// Where the events of each cell are, in the order in which they were written.
    private let extents = Mutex<[Extent]>([])

    /// A stretch of the stream of events.
    private struct Extent {
        var cell: Int
        var from: Int64
        var bytes: Int
    }

    /// Makes the folder, and removes what an earlier run has left in it.
    init(_ path: FilePath) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
            EarlierResults(folder: path).remove()
            // Replaced only at the end of this run.
            unlink(path.appending(ReportFormat.html.fileName ?? "").string)
            events = try FileDescriptor.open(
                path.appending(ReportFormat.eventsFileName), .readWrite, options: [.create, .truncate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch {
            throw HarnessError.noResultsFolder(path, reason: error.systemReason, error.systemErrno)
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
        do { try events.writeAll(text.utf8) } catch {
            throw HarnessError.notWritten(path.appending(ReportFormat.eventsFileName), reason: error.systemReason)
        }
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
        let copy = path.appending(".\(ReportFormat.eventsFileName)")
        do {
            let target = try FileDescriptor.open(
                copy, .readWrite, options: [.create, .truncate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
            try target.closeAfter {
                for extent in ordered { try copyEvents(extent, to: target) }
                // More may come, and belongs into the new file.
                guard dup2(target.rawValue, events.rawValue) >= 0,
                    fcntl(events.rawValue, F_SETFD, FD_CLOEXEC) >= 0
                else { throw Errno(rawValue: errno) }
            }
            guard rename(copy.string, file.string) == 0 else { throw Errno(rawValue: errno) }
            extents.withLock { extents in
                var from: Int64 = 0
                extents = ordered.map { extent in
                    defer { from += Int64(extent.bytes) }
                    return Extent(cell: extent.cell, from: from, bytes: extent.bytes)
                }
            }
        } catch {
            try? FileManager.default.removeItem(atPath: copy.string)
            throw HarnessError.notWritten(file, reason: error.systemReason)
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
            try WholeFile.write(schedule.text.utf8, to: file)
        } catch {
            throw HarnessError.notWritten(file, reason: error.systemReason)
        }
    }

    /// Writes every report of the run as far as it has come, but for the page; each file is replaced as a whole.
    func write(_ run: RunResult) throws {
        for format in ReportFormat.allCases where format != .html {
            guard let name = format.fileName else { continue }
            let file = path.appending(name)
            do { try WholeFile.write(format.render(run, folder: projectName).utf8, to: file) } catch {
                throw HarnessError.notWritten(file, reason: error.systemReason)
            }
        }
    }
}
