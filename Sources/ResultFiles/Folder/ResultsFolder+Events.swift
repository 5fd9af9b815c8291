import Glibc
import LinuxSupport
import Reports
import Results
import SystemPackage

extension ResultsFolder {
    /// Appends the events of a cell; cells may come in any order.
    func append(_ timeline: [TimelineEvent], of cell: Int) throws {
        let text = timeline.map(\.line).joined()
        do { try events.writeAll(text.utf8) } catch { throw failure(ReportFormat.eventsFileName, error) }
        extents.withLock { extents in
            let from = extents.last.map { $0.from + Int64($0.bytes) } ?? 0
            extents.append(Extent(cell: cell, from: from, bytes: text.utf8.count))
        }
    }

    /// Sorts the events by cell, whichever cell ended first; the file is replaced as a whole.
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
                    // Further events belong in the new file.
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
        while left > 0 {
            let part = try events.bytes(from: from, count: min(left, 1 << 16))
            guard !part.isEmpty else { throw Errno.ioError }
            try target.writeAll(part)
            (from, left) = (from + Int64(part.count), left - part.count)
        }
    }

    /// Appends the events of another folder, all or those of some cells; a folder without events adds none.
    func appendEvents(of folder: FilePath, keeping cells: Set<String>?) throws {
        let source = folder.appending(ReportFormat.eventsFileName)
        do {
            let file = try FileDescriptor.open(source, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
            try file.closeAfter { try append(file, cells) }
        } catch Errno.noSuchFileOrDirectory {
            return
        } catch {
            throw ResultFileError.notWritten(
                path.appending(ReportFormat.eventsFileName), reason: "'\(source)': \(error.systemReason)")
        }
    }

    /// Copies complete lines; a last line without an end was cut when its run ended.
    private func append(_ file: FileDescriptor, _ cells: Set<String>?) throws {
        try file.readLines(most: 64 << 20, orThrow: OversizedInput(what: "a line", most: 64 << 20)) { lines in
            guard let cells else {
                try events.writeAll(lines)
                return
            }
            for line in lines.split(separator: 0x0A) where TimelineEvent.cell(of: line).map(cells.contains) ?? true {
                try events.writeAll(line + [0x0A])
            }
        }
    }
}
