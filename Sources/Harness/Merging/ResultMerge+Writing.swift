import Glibc
import Reports
package import Results
package import SystemPackage

extension ResultMerge {
    /// Writes the whole result, with its events, schedules, captures and bundles, into a folder.
    ///
    /// Answers the result, and names of files that cells name and that were not there. Paths of the results are followed only
    /// right into the folders where such files belong, and nothing but files and folders is copied. Throws ``MergeError`` and
    /// ``HarnessError``.
    package func write(to output: FilePath, commandLine: [String], toolVersion: String) throws -> (
        RunResult, missing: [String]
    ) {
        for shard in shards where Self.isSame(shard.folder, output) { throw MergeError.intoItself(output) }
        let folder = try ResultsFolder(output, command: commandLine)
        // Whoever finds it half done must not take it for all.
        try folder.write(result([], commandLine: commandLine, toolVersion: toolVersion, isWritten: false))
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
        let run = result(cells, commandLine: commandLine, toolVersion: toolVersion, isWritten: true)
        try folder.writePage(run)
        try folder.write(run)
        return (run, files.missing)
    }

    /// Whether both are one folder, whatever they are called.
    private static func isSame(_ first: FilePath, _ second: FilePath) -> Bool {
        var one = stat()
        var other = stat()
        guard stat(first.string, &one) == 0, stat(second.string, &other) == 0 else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
}

extension ResultsFolder {
    /// Adds the events of another folder, all of them or those of some cells; a folder without events adds none.
    func appendEvents(of folder: FilePath, keeping cells: Set<String>?) throws {
        let source = folder.appending(ReportFormat.eventsFileName)
        do {
            let file = try FileDescriptor.open(source, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
            try file.closeAfter { try append(file, cells) }
        } catch Errno.noSuchFileOrDirectory {
            return
        } catch {
            throw HarnessError.notWritten(
                path.appending(ReportFormat.eventsFileName), reason: "'\(source)': \(error.systemReason)")
        }
    }

    /// Copies whole lines: a last one without its end was being written when its run ended.
    private func append(_ file: FileDescriptor, _ cells: Set<String>?) throws {
        var block = [UInt8](repeating: 0, count: 1 << 20)
        var begun: [UInt8] = []
        while true {
            let count = try block.withUnsafeMutableBytes { try file.read(into: $0) }
            guard count > 0 else { return }
            begun += block[..<count]
            guard let end = begun.lastIndex(of: 0x0A) else {
                guard begun.count <= 64 << 20 else { throw OversizedInput(what: "a line", most: 64 << 20) }
                continue
            }
            let lines = begun[...end]
            if let cells {
                for line in lines.split(separator: 0x0A) where EventCell.of(line).map(cells.contains) ?? true {
                    try events.writeAll(line + [0x0A])
                }
            } else {
                try events.writeAll(lines)
            }
            begun.removeSubrange(...end)
        }
    }
}
