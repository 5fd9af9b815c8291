import Glibc
import Results

/// Finds out, chunk by chunk, which stretches of an `events.jsonl` belong to which attempt.
///
/// Lines of one attempt begin alike but for their time. Only one that does not begin like the line before it is read.
struct EventIndex {
    private(set) var places: [EventFile.Key: EventFile.Place] = [:]
    /// The names that are looked for; nil: every one.
    private let cells: Set<String>?

    /// What the line before had after its time: `,"cell":"…","attempt":1,`.
    private var identity: [UInt8] = []
    private var current: EventFile.Key?
    private var extent = EventFile.Extent(from: 0, bytes: 0)
    private var offset: Int64 = 0
    /// The begin of a line whose end is not there yet.
    private var begun: [UInt8] = []

    /// Longer lines are no events.
    static let mostLineBytes = 4 << 20

    init(cells: Set<String>? = nil) { self.cells = cells }

    private static let head = Array("{\"v\":\(TimelineEvent.currentSchema),\"t\":".utf8)
    private static let tail = Array("\"source\"".utf8)

    /// Takes the next bytes of the file.
    ///
    /// A last line without an end was being written when the run ended, and is left out.
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
            // Its end will be taken for a line, which is none.
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
        if let start, let end = Self.source(line, from: start) { identity = Array(line[start..<end]) }
        extend(line.count)
    }

    private mutating func extend(_ count: Int) {
        guard current != nil else { return }
        if extent.bytes == 0 { extent.from = offset }
        extent.bytes += Int64(count)
    }

    /// Keeps the stretch so far with its attempt.
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

    /// The index behind the line's time; nil where it does not begin as Headwind's lines do.
    private static func afterTime(_ line: UnsafeBufferPointer<UInt8>) -> Int? {
        guard line.count > head.count, line.prefix(head.count).elementsEqual(head) else { return nil }
        var index = head.count
        while index < line.count, line[index] >= 0x30, line[index] <= 0x39 { index += 1 }
        return index > head.count ? index : nil
    }

    /// The end of what is the same in all lines of the attempt: the name of the member behind it.
    ///
    /// A cell's name may have these characters too, but never with a bare quotation mark before them.
    private static func source(_ line: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var index = start
        while index + tail.count < line.count {
            if line[index] == tail[0], line[index - 1] == 0x2C, line[index..<index + tail.count].elementsEqual(tail) {
                return index + tail.count
            }
            index += 1
        }
        return nil
    }
}
