import Glibc
import Results
package import SystemPackage

/// An `events.jsonl`, with the positions of each attempt's lines.
///
/// The file is read once, as a stream, because it may have any size and a page shows only a part of it.
package final class EventFile: Sendable {
    struct Key: Hashable, Sendable {
        var cell: String
        var attempt: Int
    }

    /// A part of the file, in bytes.
    struct Extent: Equatable, Sendable {
        var from: Int64
        var bytes: Int64
    }

    /// The positions of one attempt's lines.
    struct Place: Sendable {
        var extents: [Extent] = []
        var bytes: Int64 = 0
        /// Whether there are more parts than ``mostExtents``.
        var isCut = false
    }

    /// The most parts of an attempt's lines; there are few unless the file was shuffled.
    static let mostExtents = 1000
    /// The most bytes of an attempt's lines that are read.
    static let mostAttemptBytes: Int64 = 64 << 20

    private let file: FileDescriptor
    let places: [Key: Place]

    /// Indexes a file; throws `Errno` if it cannot be read or is not a regular file.
    ///
    /// `cells` are the names to index; nil, the default: all.
    package init(_ path: FilePath, of cells: Set<String>? = nil) throws {
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        places = try file.closeOnFailure {
            // A device may have no end.
            guard try file.stat().type == .regular else { throw Errno.notSupported }
            return try Self.index(file, cells)
        }
        self.file = file
    }

    private static func index(_ file: FileDescriptor, _ cells: Set<String>?) throws -> [Key: Place] {
        var index = EventIndex(cells: cells)
        try file.readBlocks(of: 1 << 20) { index.add($0) }
        return index.places
    }

    deinit { try? file.close() }

    /// The size of an attempt's lines in bytes; 0 if it has none.
    func bytes(of key: Key) -> Int64 { places[key]?.bytes ?? 0 }

    /// Reads the lines of an attempt in the order of the file.
    ///
    /// Returns whether all of them were read.
    func read(_ key: Key, _ body: (TimelineEvent) -> Void) -> Bool {
        guard let place = places[key] else { return true }
        var left = Self.mostAttemptBytes
        for extent in place.extents {
            guard extent.bytes <= left else { return false }
            left -= extent.bytes
            do { try read(extent, body) } catch { return false }
        }
        return !place.isCut
    }

    private func read(_ extent: Extent, _ body: (TimelineEvent) -> Void) throws {
        let buffer = try file.bytes(from: extent.from, count: Int(extent.bytes))
        guard buffer.count == extent.bytes else { throw Errno.ioError }
        buffer.withUnsafeBytes { all in
            var rest = all.bindMemory(to: UInt8.self)[...]
            while !rest.isEmpty {
                let end = rest.newline ?? rest.endIndex
                if let event = EventLineParser.parse(UnsafeBufferPointer(rebasing: rest[..<end])) { body(event) }
                rest = rest[min(end + 1, rest.endIndex)...]
            }
        }
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The index of the first line's end; nil without one.
    var newline: Int? {
        let part = UnsafeBufferPointer(rebasing: self)
        guard let start = part.baseAddress, let found = memchr(start, 0x0A, part.count) else { return nil }
        return startIndex + (UnsafeRawPointer(found) - UnsafeRawPointer(start))
    }
}
