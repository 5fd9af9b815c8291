import FoundationEssentials
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
        /// Its file, from its folder.
        let fileName: String
        /// What the engine that ran it calls the machine; nil where none did, or that is not known.
        package var machine: String?
        /// Why it was run again, each time.
        package var lost: [String] = []

        /// A result that is in memory.
        package init(folder: FilePath, run: RunResult) {
            self.folder = folder
            self.run = run
            self.run.cells = []
            cells = run.cells.map { MergedCell($0) }
            fileName = ReportFormat.json.fileName ?? ""
        }

        /// Reads a result some cells at a time, and keeps none of their numbers.
        ///
        /// `descriptor` is open at its begin. Throws `Errno` and `ResultError`; what ``RunResult/init(json:)`` refuses is refused
        /// here too.
        package init(folder: FilePath, fileName: String, descriptor: FileDescriptor) throws {
            var stream = ResultStream()
            var block = [UInt8](repeating: 0, count: 1 << 22)
            var cells: [MergedCell] = []
            var total: Int64 = 0
            while true {
                let count = try block.withUnsafeMutableBytes { try descriptor.read(into: $0) }
                guard count > 0 else { break }
                total += Int64(count)
                guard total <= Self.mostBytes else { throw Errno.fileTooLarge }
                block.withUnsafeBufferPointer { bytes in
                    stream.add(
                        UnsafeBufferPointer(rebasing: bytes[..<count]), placed: { MergedCell($0, at: $1) },
                        { cells.append($0) })
                }
            }
            run = try stream.finish()
            (self.folder, self.fileName, self.cells) = (folder, fileName, cells)
        }

        /// Of one file; more is none of Headwind's, whose own results are put together of many.
        private static let mostBytes: Int64 = 64 << 30

        /// The result in a folder of results; nil where there is no file of it.
        ///
        /// Throws ``UnreadableResult``.
        package static func read(in folder: FilePath) throws(UnreadableResult) -> Self? {
            let name = ReportFormat.json.fileName ?? ""
            guard folder.appending(name).fileKind != 0 else { return nil }
            do {
                let file = try FileDescriptor.open(
                    folder.appending(name), .readOnly, options: [.closeOnExec, .nonBlocking])
                return try file.closeAfter { try Self(folder: folder, fileName: name, descriptor: file) }
            } catch {
                throw UnreadableResult(reason: "\(error)")
            }
        }

        /// What it is called where several are.
        var name: String { folder.lexicallyNormalized().lastComponent?.string ?? folder.string }

        /// The text of a cell in the file; nil of one in memory.
        ///
        /// Throws ``MergeError/changed(_:)`` where it is not what was read before.
        func text(of cell: MergedCell) throws -> Data? {
            guard case .file(let place) = cell.source else { return nil }
            let path = folder.appending(fileName)
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try file.closeAfter {
                var text = Data(count: place.bytes)
                var done = 0
                while done < place.bytes {
                    let count = try text.withUnsafeMutableBytes {
                        try file.read(fromAbsoluteOffset: place.from + Int64(done), into: .init(rebasing: $0[done...]))
                    }
                    guard count > 0 else { break }
                    done += count
                }
                guard done == place.bytes, place.isOf(text) else { throw MergeError.changed(path) }
                return text
            }
        }

        /// What tells it from others.
        var identity: Identity { Identity(run: run, cells: cells.map(\.digest)) }

        struct Identity: Hashable {
            var run: RunResult
            var cells: [Int]
        }
    }
}
