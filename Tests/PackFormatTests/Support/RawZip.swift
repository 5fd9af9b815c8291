import PackFormat

/// A zip file made by hand, with any faults that a test needs.
struct RawZip {
    struct Entry {
        var name: [UInt8]
        var body: [UInt8] = []
        var method: UInt16 = 0
        var flags: UInt16 = 0x0800
        /// The mode of stat(2); a regular file by default.
        var mode: UInt32 = 0o100_644
        /// The values in the headers, if they differ from the real ones.
        var crc: UInt32?
        var compressedSize: UInt32?
        var size: UInt32?
        /// The values in the local header, if they differ from the directory's.
        var local = Local()
        var extra: [UInt8] = []
        /// The bytes after the body, such as a data descriptor.
        var trailer: [UInt8] = []
        /// The stated offset, for an entry that has no bytes of its own.
        var place: Int?

        struct Local {
            var name: [UInt8]?
            var flags: UInt16?
            var method: UInt16?
            var crc: UInt32?
            var compressedSize: UInt32?
            var size: UInt32?
            var extra: [UInt8] = []
        }

        init(
            name: [UInt8], body: [UInt8] = [], method: UInt16 = 0, flags: UInt16 = 0x0800, mode: UInt32 = 0o100_644,
            crc: UInt32? = nil, compressedSize: UInt32? = nil, size: UInt32? = nil, extra: [UInt8] = [],
            place: Int? = nil, _ local: Local = Local()
        ) {
            (self.name, self.body, self.method, self.flags) = (name, body, method, flags)
            (self.mode, self.crc, self.compressedSize, self.size) = (mode, crc, compressedSize, size)
            (self.extra, self.place, self.local) = (extra, place, local)
        }

        init(_ name: String, _ body: String) { self.init(name: Array(name.utf8), body: Array(body.utf8)) }

        /// The entry as written if its size is not known beforehand, followed by a descriptor with sizes of `width`
        /// bytes.
        func streamed(_ width: Int = 4, hasMark: Bool = true) -> Entry {
            var entry = self
            entry.flags |= 8
            (entry.local.crc, entry.local.compressedSize, entry.local.size) = (0, 0, 0)
            var descriptor = Bytes()
            if hasMark { descriptor.add(0x0807_4B50, 4) }
            descriptor.add(Int(CRC32.checksum(of: body)), 4)
            for _ in 0..<2 { descriptor.add(body.count, width) }
            entry.trailer = descriptor.bytes
            return entry
        }
    }

    /// The values in the records at the end, if they differ from the real ones.
    struct End {
        var count: Int?
        var size: Int?
        var start: Int?
        var comment: [UInt8] = []
        /// Whether there are ZIP64 records, and their values if they differ.
        var isLarge = false
        var largeCount: Int?
        var largeSize: Int?
        var largeStart: Int?
        var locator: Int?
    }

    var entries: [Entry]
    /// The bytes before the first entry; offsets count them.
    var front: [UInt8] = []
    /// The bytes between the last entry and the directory.
    var gap: [UInt8] = []
    var end = End()

    init(_ entries: [Entry], _ end: End = End()) {
        self.entries = entries
        self.end = end
    }

    init(_ entries: KeyValuePairs<String, String>, _ end: End = End()) {
        self.init(entries.map { Entry($0.key, $0.value) }, end)
    }

    var bytes: [UInt8] {
        var (file, directory) = (Bytes(bytes: front), Bytes())
        for entry in entries {
            let offset = entry.place ?? file.bytes.count
            if entry.place == nil { Self.add(entry, local: entry.local, to: &file) }
            directory.add(0x0201_4B50, 4)
            directory.add(3 << 8 | 20, 2)
            Self.add(entry, name: entry.name, to: &directory)
            directory.add(entry.extra.count, 2)
            directory.add(0, 6)
            directory.add(Int(entry.mode) << 16, 4)
            directory.add(offset, 4)
            directory.bytes += entry.name + entry.extra
        }
        file.bytes += gap
        let start = file.bytes.count
        file.bytes += directory.bytes
        addEnd(start: start, size: directory.bytes.count, to: &file)
        return file.bytes
    }

    private func addEnd(start: Int, size: Int, to file: inout Bytes) {
        let place = file.bytes.count
        let isLarge = end.isLarge || entries.count > 0xFFFE
        if isLarge {
            file.add(0x0606_4B50, 4)
            file.add(44, 8)
            file.add(45 << 16 | 45, 4)
            file.add(0, 8)
            for _ in 0..<2 { file.add(end.largeCount ?? entries.count, 8) }
            file.add(end.largeSize ?? size, 8)
            file.add(end.largeStart ?? start, 8)
            file.add(0x0706_4B50, 4)
            file.add(0, 4)
            file.add(end.locator ?? place, 8)
            file.add(1, 4)
        }
        file.add(0x0605_4B50, 4)
        file.add(0, 4)
        for _ in 0..<2 { file.add(end.count ?? (isLarge ? 0xFFFF : entries.count), 2) }
        file.add(end.size ?? (isLarge ? 0xFFFF_FFFF : size), 4)
        file.add(end.start ?? (isLarge ? 0xFFFF_FFFF : start), 4)
        file.add(end.comment.count, 2)
        file.bytes += end.comment
    }

    private static func add(_ entry: Entry, local: Entry.Local, to file: inout Bytes) {
        var other = entry
        other.flags = local.flags ?? entry.flags
        other.method = local.method ?? entry.method
        other.crc = local.crc ?? entry.crc
        other.compressedSize = local.compressedSize ?? entry.compressedSize
        other.size = local.size ?? entry.size
        let name = local.name ?? entry.name
        file.add(0x0403_4B50, 4)
        add(other, name: name, to: &file)
        file.add(local.extra.count, 2)
        file.bytes += name + local.extra + entry.body + entry.trailer
    }

    private static func add(_ entry: Entry, name: [UInt8], to header: inout Bytes) {
        header.add(20, 2)
        header.add(Int(entry.flags), 2)
        header.add(Int(entry.method), 2)
        // 1 January 1980, the first day of the format.
        header.add(0x21 << 16, 4)
        header.add(Int(entry.crc ?? CRC32.checksum(of: entry.body)), 4)
        header.add(Int(entry.compressedSize ?? UInt32(entry.body.count)), 4)
        header.add(Int(entry.size ?? UInt32(entry.body.count)), 4)
        header.add(name.count, 2)
    }

    struct Bytes {
        var bytes: [UInt8] = []

        mutating func add(_ value: Int, _ size: Int) {
            for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
        }
    }
}
