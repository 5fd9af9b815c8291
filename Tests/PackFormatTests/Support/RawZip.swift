import PackFormat

/// A zip file that is made by hand, as wrong as a test wants it.
struct RawZip {
    struct Entry {
        var name: [UInt8]
        var body: [UInt8] = []
        var method: UInt16 = 0
        var flags: UInt16 = 0x0800
        /// The mode of stat(2); a regular file by default.
        var mode: UInt32 = 0o100_644
        /// What the headers say, where they lie.
        var crc: UInt32?
        var compressedSize: UInt32?
        var size: UInt32?
        /// The name in the header in front of the bytes, where it is another.
        var localName: [UInt8]?
        /// Where the bytes are said to be, for an entry that has none of its own.
        var place: Int?
    }

    var entries: [Entry]

    init(_ entries: [Entry]) {
        self.entries = entries
    }

    init(_ entries: KeyValuePairs<String, String>) {
        self.entries = entries.map { Entry(name: Array($0.key.utf8), body: Array($0.value.utf8)) }
    }

    var bytes: [UInt8] {
        var (file, directory) = (Bytes(), Bytes())
        for entry in entries {
            let offset = entry.place ?? file.bytes.count
            let localName = entry.localName ?? entry.name
            if entry.place == nil {
                file.add(0x0403_4B50, 4)
                add(entry, name: localName, to: &file)
                file.add(0, 2)
                file.bytes += localName + entry.body
            }
            directory.add(0x0201_4B50, 4)
            directory.add(3 << 8 | 20, 2)
            add(entry, name: entry.name, to: &directory)
            directory.add(0, 2)
            directory.add(0, 6)
            directory.add(Int(entry.mode) << 16, 4)
            directory.add(offset, 4)
            directory.bytes += entry.name
        }
        let start = file.bytes.count
        file.bytes += directory.bytes
        file.add(0x0605_4B50, 4)
        file.add(0, 4)
        // A reader goes by where the directory begins and what stands there.
        for _ in 0..<2 { file.add(min(entries.count, 0xFFFE), 2) }
        file.add(directory.bytes.count, 4)
        file.add(start, 4)
        file.add(0, 2)
        return file.bytes
    }

    private func add(_ entry: Entry, name: [UInt8], to header: inout Bytes) {
        header.add(20, 2)
        header.add(Int(entry.flags), 2)
        header.add(Int(entry.method), 2)
        header.add(0, 4)
        header.add(Int(entry.crc ?? CRC32.checksum(of: entry.body)), 4)
        header.add(Int(entry.compressedSize ?? UInt32(entry.body.count)), 4)
        header.add(Int(entry.size ?? UInt32(entry.body.count)), 4)
        header.add(name.count, 2)
    }

    private struct Bytes {
        var bytes: [UInt8] = []

        mutating func add(_ value: Int, _ size: Int) {
            for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
        }
    }
}
