import Glibc
import Results
package import SystemPackage

/// Where in an `events.jsonl` the lines of each attempt are.
///
/// The file is read once, as a stream: it may be of any size, and a page shows a part of it.
package final class EventFile: Sendable {
    struct Key: Hashable, Sendable {
        var cell: String
        var attempt: Int
    }

    /// A stretch of the file.
    struct Extent: Equatable, Sendable {
        var from: Int64
        var bytes: Int64
    }

    /// Where one attempt's lines are.
    struct Place: Sendable {
        var extents: [Extent] = []
        var bytes: Int64 = 0
        /// Whether there are more than could be taken note of.
        var isCut = false
    }

    /// Lines of an attempt are in few stretches, unless somebody has mixed them.
    static let mostExtents = 1000
    /// The most bytes of an attempt's lines that are read.
    static let mostAttemptBytes: Int64 = 64 << 20

    private let file: FileDescriptor
    let places: [Key: Place]

    /// Throws `Errno` where the file cannot be read, or is none.
    ///
    /// `cells` are the names that attempts are looked for under; nil, the default: every name.
    package init(_ path: FilePath, of cells: Set<String>? = nil) throws {
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
        do {
            // A device may have no end.
            var status = stat()
            guard fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw Errno.notSupported
            }
            places = try Self.index(file, cells)
        } catch {
            try? file.close()
            throw error
        }
        self.file = file
    }

    private static func index(_ file: FileDescriptor, _ cells: Set<String>?) throws -> [Key: Place] {
        var index = EventIndex(cells: cells)
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
            guard count > 0 else { return index.places }
            buffer.withUnsafeBufferPointer { index.add(UnsafeBufferPointer(rebasing: $0[..<count])) }
        }
    }

    deinit { try? file.close() }

    /// How many bytes the lines of an attempt have; 0 where it has none.
    func bytes(of key: Key) -> Int64 { places[key]?.bytes ?? 0 }

    /// Reads the lines of an attempt in the order in which they are in the file.
    ///
    /// Answers whether all of them were read.
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
        var buffer = [UInt8](repeating: 0, count: Int(extent.bytes))
        var done = 0
        while done < buffer.count {
            let count = try buffer.withUnsafeMutableBytes {
                try file.read(fromAbsoluteOffset: extent.from + Int64(done), into: .init(rebasing: $0[done...]))
            }
            guard count > 0 else { throw Errno.ioError }
            done += count
        }
        buffer.withUnsafeBufferPointer { all in
            var rest = all[...]
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
