/// The records at an archive's end: how many entries there are, and where the directory lies.
///
/// Source: PKWARE APPNOTE 6.3.10, 4.3.14 to 4.3.16.
struct ArchiveEnd {
    /// Bytes at the end of the file in which libarchive looks for the end record and the comment after it.
    private static let tailBytes: Int64 = 16 << 10
    private static let recordBytes = 22
    private static let locatorBytes: Int64 = 20
    /// Bytes of the ZIP64 end record, without the fields that later versions add.
    private static let largeBytes: Int64 = 56
    private static let fields = ["disk", "directory's disk", "entries here", "entries", "directory's size", "offset"]

    let count: UInt64
    /// The directory's bytes in the file.
    let directory: Range<Int64>

    /// Reads the records; throws `badArchive` if they are missing or contradict each other, and `fileNotRead`.
    init(of source: ArchiveSource) throws(PackFormatError) {
        let base = max(0, source.size - Self.tailBytes)
        let tail = try source.bytes(at: base, count: Int(source.size - base))[...]
        // Takes the last mark, even one within a comment: some readers would take that one for the record.
        let marks = tail.indices.dropLast(3).reversed()
        guard let mark = marks.first(where: { tail[$0...].starts(with: [0x50, 0x4B, 5, 6]) }) else {
            throw source.bad(
                nil, "it is not a zip archive, or it is cut short: it has no end record in its last \(tail.count) bytes"
            )
        }
        let (record, place) = (tail[mark...], base + Int64(mark))
        guard record.count >= Self.recordBytes, record.count == Self.recordBytes + Int(record.little(20, 2)) else {
            throw source.bad(
                nil, "its end record at byte \(place), with its comment, does not end where the file ends")
        }
        let small = [(4, 2), (6, 2), (8, 2), (10, 2), (12, 4), (16, 4)].map { record.little($0.0, $0.1) }
        let (numbers, end) = try Self.widened(small, before: place, of: source)
        guard numbers[0] == 0, numbers[1] == 0, numbers[2] == numbers[3] else {
            throw source.bad(nil, "its end record at byte \(place) says that it is one of several parts")
        }
        guard numbers[3] > 0 else { throw source.bad(nil, "it is an empty zip archive") }
        let (sum, isOver) = numbers[5].addingReportingOverflow(numbers[4])
        guard !isOver, sum == UInt64(end) else {
            throw source.bad(
                nil,
                "its directory should end at byte \(end), where the end records begin, but its end record "
                    + "at byte \(place) says \(numbers[4]) bytes from byte \(numbers[5])")
        }
        count = numbers[3]
        directory = Int64(numbers[5])..<end
    }

    /// The numbers of the ZIP64 end record if there is one, else `small`; and where the end records begin.
    private static func widened(
        _ small: [UInt64], before place: Int64, of source: ArchiveSource
    ) throws(PackFormatError) -> ([UInt64], end: Int64) {
        let end = place - locatorBytes
        guard end >= 0 else { return (small, place) }
        let locator = try source.bytes(at: end, count: Int(locatorBytes))[...]
        guard locator.starts(with: [0x50, 0x4B, 6, 7]) else { return (small, place) }
        guard locator.little(4, 4) == 0, locator.little(16, 4) <= 1, let start = Int64(exactly: locator.little(8, 8)),
            start <= end - largeBytes
        else { throw source.bad(nil, "its ZIP64 locator at byte \(end) does not point to a record before it") }
        let record = try source.bytes(at: start, count: Int(largeBytes))[...]
        guard record.starts(with: [0x50, 0x4B, 6, 6]), record.little(4, 8) == UInt64(end - start - 12) else {
            throw source.bad(nil, "there is no ZIP64 end record from byte \(start) to byte \(end)")
        }
        let large = [(16, 4), (20, 4), (24, 8), (32, 8), (40, 8), (48, 8)].map { record.little($0.0, $0.1) }
        for (index, number) in small.enumerated() {
            let isLeftOut = number == (index < 4 ? 0xFFFF : 0xFFFF_FFFF)
            guard isLeftOut || number == large[index] else {
                throw source.bad(
                    nil,
                    "its end record at byte \(place) has the \(Self.fields[index]) \(number), but the ZIP64 end record at "
                        + "byte \(start) has \(large[index])")
            }
        }
        return (large, start)
    }
}
