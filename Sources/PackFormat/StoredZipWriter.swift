import SystemPackage

/// Writes a zip file with stored entries, each with its checksum and sizes before its bytes.
///
/// libarchive cannot do that: it puts them after the bytes, too late for a streaming reader. It also writes local
/// times, so that the bytes depend on the time zone.
///
/// Source: PKWARE APPNOTE 6.3.10; the extended timestamp is Info-ZIP's.
struct StoredZipWriter: ~Copyable {
    private struct Record {
        let name: [UInt8]
        let isFolder: Bool
        let size: Int64
        let crc: UInt32
        let modified: Int64
        let offset: Int64
    }

    private static let pieceSize = 128 << 10
    /// The value of a 32-bit field that is too small for its number, which is in a 64-bit field instead.
    private static let full: Int64 = 0xFFFF_FFFF

    private let path: FilePath
    private let file: FileDescriptor
    private var records: [Record] = []
    private var offset: Int64 = 0

    init(_ path: FilePath) throws(PackFormatError) {
        self.path = path
        file = try PackFormatError.writing(path) {
            try FileDescriptor.open(
                path, .writeOnly, options: [.create, .truncate, .noFollow, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead])
        }
    }

    deinit {
        try? file.close()
    }

    /// Adds a file or a folder.
    mutating func add(_ item: PackArchive.Item) throws(PackFormatError) {
        let isFolder = item.content == .folder
        let start = offset
        let record = { (crc: UInt32) in
            Record(
                name: Array((item.path + (isFolder ? "/" : "")).utf8), isFolder: isFolder, size: item.size, crc: crc,
                modified: item.modified / 1_000_000_000, offset: start)
        }
        switch item.content {
        case .folder:
            try append(Self.localHeader(record(0)))
            records.append(record(0))
        case .bytes(let bytes):
            let done = record(CRC32.checksum(of: bytes))
            try append(Self.localHeader(done))
            try append(bytes)
            records.append(done)
        case .file(let source, let size):
            try append(Self.localHeader(record(0)))
            let done = record(try copy(source, size: size))
            try PackFormatError.writing(path) { try file.writeAll(toAbsoluteOffset: start, Self.localHeader(done)) }
            records.append(done)
        }
    }

    /// Writes the directory of all entries; returns the bytes of the whole file.
    mutating func finish() throws(PackFormatError) -> Int64 {
        let start = offset
        for record in records { try append(Self.directoryEntry(record)) }
        try append(Self.end(count: records.count, size: offset - start, offset: start))
        return offset
    }

    /// Appends a file's bytes and returns their checksum.
    private mutating func copy(_ source: FilePath, size: Int64) throws(PackFormatError) -> UInt32 {
        var crc = CRC32()
        let input = try PackFormatError.reading(source) {
            try FileDescriptor.open(source, .readOnly, options: [.closeOnExec, .noFollow])
        }
        defer { try? input.close() }
        var buffer = [UInt8](repeating: 0, count: Self.pieceSize)
        var left = size
        while true {
            let count = try PackFormatError.reading(source) {
                try unsafe buffer.withUnsafeMutableBytes { try unsafe input.read(into: $0) }
            }
            left -= Int64(count)
            guard count > 0, left >= 0 else { break }
            unsafe buffer.withUnsafeBytes { unsafe crc.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            try append(buffer[..<count])
        }
        guard left == 0 else { throw .fileNotRead(source, reason: "its size changed while it was read") }
        return crc.value
    }

    private mutating func append(_ bytes: some Sequence<UInt8>) throws(PackFormatError) {
        let count = try PackFormatError.writing(path) { try file.writeAll(bytes) }
        offset += Int64(count)
    }

    private static func localHeader(_ record: Record) -> [UInt8] {
        let isLarge = record.size >= full
        let extra = timestamp(record) + zip64(isLarge ? [record.size, record.size] : [])
        return little((0x0403_4B50, 4)) + common(record, isLarge: isLarge, extra) + record.name + extra
    }

    private static func directoryEntry(_ record: Record) -> [UInt8] {
        let (isLarge, isFar) = (record.size >= full, record.offset >= full)
        let large = isLarge ? [record.size, record.size] : []
        let extra = timestamp(record) + zip64(isFar ? large + [record.offset] : large)
        // Made on Unix, by version 2.0 of the specification.
        let start = little((0x0201_4B50, 4), (3 << 8 | 20, 2))
        // The mode of stat(2) in the upper half, MS-DOS's folder attribute in the lower half.
        let attributes: Int64 = record.isFolder ? 0o40755 << 16 | 0x10 : 0o100_644 << 16
        // No comment, the first disk, no internal attributes.
        let end = little((0, 6), (attributes, 4), (min(record.offset, full), 4))
        return start + common(record, isLarge: isLarge || isFar, extra) + end + record.name + extra
    }

    /// The fields that both headers have, from the version needed to the lengths of the name and of `extra`.
    private static func common(_ record: Record, isLarge: Bool, _ extra: [UInt8]) -> [UInt8] {
        let (date, time) = dosTime(record.modified)
        let size = min(record.size, full)
        // Flags, after the version: names are UTF-8. Then the method: stored.
        return little(
            (isLarge ? 45 : record.isFolder ? 20 : 10, 2), (0x0800, 2), (0, 2), (time, 2), (date, 2),
            (Int64(record.crc), 4), (size, 4), (size, 4), (Int64(record.name.count), 2), (Int64(extra.count), 2))
    }

    private static func end(count: Int, size: Int64, offset: Int64) -> [UInt8] {
        let (number, end) = (Int64(count), offset + size)
        let small = min(number, 0xFFFF)
        let isLarge = count >= 0xFFFF || size >= full || offset >= full
        let large = little(
            (0x0606_4B50, 4), (44, 8), (45, 2), (45, 2), (0, 8), (number, 8), (number, 8), (size, 8), (offset, 8),
            (0x0706_4B50, 4), (0, 4), (end, 8), (1, 4))
        let last = little(
            (0x0605_4B50, 4), (0, 4), (small, 2), (small, 2), (min(size, full), 4), (min(offset, full), 4), (0, 2))
        return isLarge ? large + last : last
    }

    /// The field of the numbers that are too large for 32 bits; empty if there are none.
    private static func zip64(_ values: [Int64]) -> [UInt8] {
        if values.isEmpty { return [] }
        return little((0x0001, 2), (Int64(values.count * 8), 2)) + values.flatMap { little(($0, 8)) }
    }

    /// Info-ZIP's extended timestamp with the modification time.
    private static func timestamp(_ record: Record) -> [UInt8] {
        little((0x5455, 2), (5, 2), (1, 1), (min(max(record.modified, Int64(Int32.min)), Int64(Int32.max)), 4))
    }

    /// A moment as MS-DOS's date and time in UTC, limited to the years 1980 to 2107.
    private static func dosTime(_ seconds: Int64) -> (date: Int64, time: Int64) {
        let (first, last): (Int64, Int64) = (315_532_800, 4_354_819_199)
        let moment = CivilTime(seconds: min(max(seconds, first), last))
        let date = (moment.year - 1980) << 9 | moment.month << 5 | moment.day
        return (date, moment.hour << 11 | moment.minute << 5 | moment.second / 2)
    }

    /// Numbers in little-endian order, each in as many bytes as its size says.
    private static func little(_ fields: (value: Int64, size: Int)...) -> [UInt8] {
        fields.flatMap { field in
            (0..<field.size).map { UInt8(truncatingIfNeeded: field.value >> Int64(8 * $0)) }
        }
    }
}
