import FoundationEssentials
import LinkModel
import PackFormat
import Reports
import Results
import Synchronization
import SystemPackage

/// The folder of a run's results, written cell by cell, so that a crash keeps what was finished.
final class ResultsFolder: Sendable {
    let path: FilePath
    private let events: FileDescriptor

    /// Makes the folder, and empties the stream of events of an earlier run in it.
    init(_ path: FilePath) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
            events = try FileDescriptor.open(
                path.appending(ReportFormat.eventsFileName), .writeOnly, options: [.create, .truncate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        } catch {
            throw HarnessError.noResultsFolder(path, reason: error.systemReason, error.systemErrno)
        }
    }

    deinit {
        try? events.close()
    }

    /// Adds the events of a cell.
    func append(_ timeline: [TimelineEvent]) throws {
        let text = timeline.map(\.line).joined()
        do { try events.writeAll(text.utf8) } catch {
            throw HarnessError.notWritten(path.appending(ReportFormat.eventsFileName), reason: error.systemReason)
        }
    }

    /// Writes the schedule that an attempt recorded; the folder that it is named in is made.
    func write(_ schedule: FaultSchedule, named name: String) throws {
        let file = path.appending(name)
        do {
            let folder = file.removingLastComponent().string
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(schedule.text.utf8).write(to: URL(filePath: file.string), options: .atomic)
        } catch {
            throw HarnessError.notWritten(file, reason: error.systemReason)
        }
    }

    /// Writes every report of the run as far as it has come; each file is replaced as a whole.
    func write(_ run: RunResult) throws {
        for format in ReportFormat.allCases {
            guard let name = format.fileName else { continue }
            let file = path.appending(name)
            do { try Data(format.render(run).utf8).write(to: URL(filePath: file.string), options: .atomic) } catch {
                throw HarnessError.notWritten(file, reason: error.systemReason)
            }
        }
    }
}
