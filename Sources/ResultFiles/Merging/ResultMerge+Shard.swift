import FoundationEssentials
import LinuxSupport
import Reports
package import Results
package import SystemPackage

extension ResultMerge {
    /// A result and the folder that it was read from.
    package struct Shard: Sendable {
        package var folder: FilePath
        /// The result without its cells.
        package private(set) var run: RunResult
        package private(set) var cells: [MergedCell]
        /// The name of its file in its folder.
        let fileName: String
        /// The engine's name of the machine that ran it; nil if no engine did, or if unknown.
        package var machine: String?
        /// The reasons of its reruns, one each.
        package var lost: [String] = []
        /// Whether the coordinator stopped it, and gives the reason.
        ///
        /// Then its own finding about that does not count.
        package var wasStopped = false

        /// A result in memory.
        package init(folder: FilePath, run: RunResult) {
            self.folder = folder
            self.run = run
            self.run.cells = []
            cells = run.cells.map { MergedCell($0) }
            fileName = ReportFormat.json.fileName ?? ""
        }

        /// Reads a result in blocks, and keeps only summaries of its cells.
        ///
        /// `descriptor` is open at its start. Throws `Errno` and `ResultError`; refuses what ``RunResult/init(json:)``
        /// refuses.
        package init(folder: FilePath, fileName: String, descriptor: FileDescriptor) throws {
            var stream = ResultStream()
            var cells: [MergedCell] = []
            try descriptor.readBlocks(most: Self.mostBytes) { bytes in
                stream.add(bytes, part: { MergedCell($0, .file($1)) }, { cells.append($0) })
            }
            run = try stream.finish()
            (self.folder, self.fileName, self.cells) = (folder, fileName, cells)
        }

        /// The most bytes of one file; Headwind's own merged results are smaller.
        private static let mostBytes: Int64 = 64 << 30

        /// The result in a folder of results; nil if there is no file.
        package static func read(in folder: FilePath) throws(UnreadableResult) -> Self? {
            let name = ReportFormat.json.fileName ?? ""
            guard folder.appending(name).fileType != nil else { return nil }
            do {
                let file = try FileDescriptor.open(
                    folder.appending(name), .readOnly, options: [.closeOnExec, .nonBlocking])
                return try file.closeAfter { try Self(folder: folder, fileName: name, descriptor: file) }
            } catch {
                throw UnreadableResult(reason: "\(error)")
            }
        }

        /// Its name among several: that of its folder.
        var name: String { folder.lexicallyNormalized().lastComponent?.string ?? folder.string }

        /// The text of a cell in the file; nil for a cell in memory.
        ///
        /// Throws ``MergeError/changed(_:)`` if the file has changed since it was first read, and `Errno`.
        func text(of cell: MergedCell) throws -> Data? {
            guard case .file(let place) = cell.source else { return nil }
            let path = folder.appending(fileName)
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try file.closeAfter {
                let text = try file.bytes(from: place.from, count: place.bytes)
                guard place.isOf(text) else { throw MergeError.changed(path) }
                return text
            }
        }

        /// A value that equal results share.
        var identity: Identity { Identity(run: run, cells: cells.map(\.digest)) }

        struct Identity: Hashable {
            var run: RunResult
            var cells: [Int]
        }
    }

    /// The cells whose attempts are spread over several results, by index, each pooled and judged again.
    ///
    /// Only summaries are kept in memory. Throws ``MergeError/unlike(cell:reason:)``.
    static func pooled(_ parts: [Int: [MergedCell.Part]], of shards: [Shard]) throws -> [(Int, MergedCell)] {
        try parts.sorted { $0.key < $1.key }.stretches(of: 32).flatMap { stretch in
            try stretch.concurrentMap { index, parts in
                Result { (index, MergedCell(try pooled(parts, of: shards), .parts(parts))) }
            }.map { try $0.get() }
        }
    }

    /// One cell of all available attempts.
    static func pooled(_ parts: [MergedCell.Part], of shards: [Shard]) throws -> CellResult {
        let cells = try parts.map { part in
            if case .memory(let cell) = part.cell.source { return cell }
            guard let text = try shards[part.shard].text(of: part.cell) else {
                throw MergeError.changed(shards[part.shard].folder)
            }
            return try RunResult.decode(CellResult.self, text)
        }
        do { return try CellResult.pooled(cells, named: parts.map { shards[$0.shard].name }) } catch {
            throw MergeError.unlike(cell: parts[0].cell.summary.name, reason: error.reason)
        }
    }

    /// The folder with a cell's bundle; for a pooled cell, that of the first part that has the bundle.
    func folder(of cell: CellResult, _ taken: MergedCell.Part) -> FilePath {
        let place = taken.parts.first { part in
            guard let bundle = cell.bundle else { return true }
            return CellFiles.place(bundle, in: CellFiles.bundles, of: shards[part.shard].folder)?.isFolder == true
        }
        return shards[place?.shard ?? taken.shard].folder
    }
}
