import FoundationEssentials
import Glibc
import LinuxSupport
import SystemPackage

/// A line of `headwind run --progress json` about a cell; see `RunProgress`.
package struct CellLine: Hashable, Sendable, Codable {
    package enum Event: String, Codable, Sendable {
        case began
        case calibrating
        case attempt
        case postponed
        case ended
        case judged
    }

    package var event: Event
    package var cell: String
    /// The number of the attempt, from 1.
    package var number: Int?
    /// The number of planned attempts.
    package var planned: Int?
    /// The verdict.
    package var verdict: String?
    /// The number of attempts that were made.
    package var attempts: Int?
    /// Why the cell runs again.
    package var why: String?

    /// Reads a line; nil if it is not about a cell.
    init?(line: some Sequence<UInt8>) {
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(line)) else { return nil }
        self = read
    }
}

/// The log of a shard, read as it grows.
struct ShardLog {
    private let file: FilePath
    private var offset: Int64 = 0
    private var begun: [UInt8] = []

    /// The most bytes that are read at a time; a longer line is skipped.
    private static let mostBytes = 1 << 20

    init(_ file: FilePath) { self.file = file }

    /// The lines about cells since the last call; none if the log is unreadable, because it only shows progress.
    mutating func next() -> [CellLine] {
        guard let log = try? FileDescriptor.open(file, .readOnly, options: [.closeOnExec, .noFollow, .nonBlocking])
        else { return [] }
        defer { try? log.close() }
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes)
        guard let count = try? bytes.withUnsafeMutableBytes({ try log.read(fromAbsoluteOffset: offset, into: $0) }),
            count > 0
        else { return [] }
        offset += Int64(count)
        begun += bytes[..<count]
        guard let end = begun.lastIndex(of: 0x0A) else {
            if begun.count > Self.mostBytes { begun = [] }
            return []
        }
        defer { begun.removeSubrange(...end) }
        return begun[..<end].split(separator: 0x0A).filter { $0.first == UInt8(ascii: "{") }
            .compactMap { CellLine(line: $0) }
    }
}
