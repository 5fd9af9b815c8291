import Glibc
import Results

/// Indexes an `events.jsonl`, chunk by chunk: which parts belong to which attempt.
///
/// The lines of one attempt begin alike except for the time. Only a line that begins differently from the one before is
/// parsed.
struct EventIndex {
    private(set) var places: [EventFile.Key: EventFile.Place] = [:]
    /// The names of the cells to index; nil: all.
    private let cells: Set<String>?

    /// The text after the time in the line before: `,"cell":"…","attempt":1,`.
    private var identity: [UInt8] = []
    private var current: EventFile.Key?
    private var extent = EventFile.Extent(from: 0, bytes: 0)
    private var offset: Int64 = 0
    /// The start of a line whose end has not arrived yet.
    private var begun: [UInt8] = []

    /// The most bytes of an event's line.
    static let mostLineBytes = 4 << 20

    init(cells: Set<String>? = nil) { self.cells = cells }

    private static let head = Array("{\"v\":\(TimelineEvent.currentSchema),\"t\":".utf8)
    private static let tail = Array(",\"source\"".utf8)

    /// Adds the next bytes of the file.
    ///
    /// Leaves out a last line without an end, which was cut when the run ended.
    mutating func add(_ chunk: UnsafeBufferPointer<UInt8>) {
        var rest = chunk[...]
        if !begun.isEmpty, let end = rest.newline {
            begun.append(contentsOf: rest[...end])
            let line = begun
            begun = []
            line.withUnsafeBufferPointer { add(line: $0) }
            rest = rest[(end + 1)...]
        }
        while let end = rest.newline {
            add(line: UnsafeBufferPointer(rebasing: rest[...end]))
            rest = rest[(end + 1)...]
        }
        if begun.count + rest.count <= Self.mostLineBytes {
            begun.append(contentsOf: rest)
        } else {
            // The rest of it is parsed as a line, which fails.
            offset += Int64(begun.count + rest.count)
            begun = []
        }
        close()
    }

    private mutating func add(line: UnsafeBufferPointer<UInt8>) {
        defer { offset += Int64(line.count) }
        let start = Self.afterTime(line)
        if let start, !identity.isEmpty, line.count >= start + identity.count,
            let base = line.baseAddress,
            identity.withUnsafeBufferPointer({ known in
                known.baseAddress.map { memcmp(base + start, $0, known.count) == 0 } ?? false
            })
        {
            extend(line.count)
            return
        }
        identity = []
        close()
        guard let event = EventLineParser.parse(line), let cell = event.cell, let attempt = event.attempt else {
            current = nil
            return
        }
        let key = EventFile.Key(cell: cell, attempt: attempt)
        current = cells?.contains(cell) == false ? nil : key
        // The name of the next member ends the text that all lines of the attempt share. A cell's name may contain these
        // characters, too, but its quotation marks are escaped.
        if let start, let end = line[start...].firstRange(of: Self.tail)?.upperBound {
            identity = Array(line[start..<end])
        }
        extend(line.count)
    }

    private mutating func extend(_ count: Int) {
        guard current != nil else { return }
        if extent.bytes == 0 { extent.from = offset }
        extent.bytes += Int64(count)
    }

    /// Adds the current part to its attempt.
    private mutating func close() {
        guard extent.bytes > 0, let current else { return }
        let found = extent
        extent = .init(from: 0, bytes: 0)
        var place = places.removeValue(forKey: current) ?? .init()
        place.bytes += found.bytes
        if let last = place.extents.last, last.from + last.bytes == found.from {
            place.extents[place.extents.count - 1].bytes += found.bytes
        } else if place.extents.count < EventFile.mostExtents {
            place.extents.append(found)
        } else {
            place.isCut = true
        }
        places[current] = place
    }

    /// The index after the line's time; nil if the line does not begin like Headwind's.
    private static func afterTime(_ line: UnsafeBufferPointer<UInt8>) -> Int? {
        guard line.count > head.count, line.prefix(head.count).elementsEqual(head) else { return nil }
        var index = head.count
        while index < line.count, line[index] >= 0x30, line[index] <= 0x39 { index += 1 }
        return index > head.count ? index : nil
    }
}
