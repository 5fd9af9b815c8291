/// The description of an entry in an archive: the header before its bytes, or its record in the directory.
///
/// Source: PKWARE APPNOTE 6.3.10, 4.3.7, 4.3.12, 4.5.3; the Unicode path is Info-ZIP's, 4.6.9.
struct ZipHeader {
    /// The problem with a header, as the end of a sentence.
    struct Fault: Error {
        let reason: String
    }

    /// Bytes that both kinds have in the same order: from the version needed to the length of the extra field.
    static let sharedBytes = 26
    /// The flag of an entry whose sizes and checksum follow its bytes, in a data descriptor.
    static let isStreamed: UInt64 = 1 << 3
    /// The flags of entries that are encrypted in any way.
    static let isEncrypted: UInt64 = 1 << 0 | 1 << 6 | 1 << 13
    /// The flags that change what a reader sees; the others are hints about compression.
    private static let knownFlags: UInt64 = isStreamed | isEncrypted | 1 << 11

    let name: ArraySlice<UInt8>
    let flags: UInt64
    let method: UInt64
    let crc: UInt64
    /// Bytes in the archive.
    let packedSize: Int64
    /// Bytes once unpacked.
    let size: Int64
    /// Where the header before the bytes begins; 0 in that header itself.
    let offset: Int64

    /// Reads a header.
    ///
    /// - Parameters:
    ///   - shared: The ``sharedBytes`` bytes that both kinds have.
    ///   - name: The name's bytes.
    ///   - extra: The extra field.
    ///   - offset: The 32-bit offset in the directory; 0 for a header before the bytes.
    /// - Throws: ``Fault`` for an extra field that is damaged or contradicts the header.
    init(
        _ shared: ArraySlice<UInt8>, name: ArraySlice<UInt8>, extra: ArraySlice<UInt8>, offset: UInt64 = 0
    ) throws(Fault) {
        var numbers = [shared.little(18, 4), shared.little(14, 4), offset]
        try Self.read(extra, name: name, into: &numbers)
        let known = numbers.compactMap { Int64(exactly: $0) }
        guard known.count == numbers.count else { throw Fault(reason: "its ZIP64 field has a number of 2^63 or more") }
        (size, packedSize, self.offset) = (known[0], known[1], known[2])
        (flags, method, crc) = (shared.little(2, 2) & Self.knownFlags, shared.little(4, 2), shared.little(10, 4))
        self.name = name
    }

    /// Reads an extra field, and replaces numbers that are all ones by those of its ZIP64 field.
    private static func read(
        _ extra: ArraySlice<UInt8>, name: ArraySlice<UInt8>, into numbers: inout [UInt64]
    ) throws(Fault) {
        var (rest, isWidened) = (extra, false)
        while rest.count >= 4 {
            let (tag, count) = (rest.little(0, 2), Int(rest.little(2, 2)))
            guard count <= rest.count - 4 else { throw Fault(reason: "its extra field is cut off") }
            var field = rest.dropFirst(4).prefix(count)
            rest = rest.dropFirst(4 + count)
            switch tag {
            case 0x0001:
                guard !isWidened else { throw Fault(reason: "it has two ZIP64 fields") }
                isWidened = true
                for index in numbers.indices where numbers[index] == 0xFFFF_FFFF {
                    guard field.count >= 8 else { throw Fault(reason: "its ZIP64 field is cut off") }
                    numbers[index] = field.little(0, 8)
                    field = field.dropFirst(8)
                }
            case 0x7075:
                guard field.dropFirst(5).elementsEqual(name) else {
                    throw Fault(reason: "its extra field gives it another name")
                }
            default: continue
            }
        }
        // Some tools pad with zeros, to align what follows.
        guard rest.allSatisfy({ $0 == 0 }) else { throw Fault(reason: "its extra field is cut off") }
    }

    /// The first value of `local`, the header before the bytes, that differs from this record; nil if all match.
    func difference(from local: ZipHeader) -> String? {
        func differ(_ what: String, _ mine: some CustomStringConvertible, _ other: some CustomStringConvertible)
            -> String
        {
            "its header has the \(what) \(other), but the directory has \(mine)"
        }
        guard local.name.elementsEqual(name) else {
            return differ(
                "name", "'\(NameText.escaped(bytes: Array(name.prefix(80))))'",
                "'\(NameText.escaped(bytes: Array(local.name.prefix(80))))'")
        }
        guard local.flags == flags else { return differ("flags", flags, local.flags) }
        guard local.method == method else { return differ("method", method, local.method) }
        let isStreamed = flags & Self.isStreamed != 0
        func isSame<Number: BinaryInteger>(_ mine: Number, _ other: Number) -> Bool {
            mine == other || isStreamed && other == 0
        }
        guard isSame(crc, local.crc) else { return differ("checksum", crc, local.crc) }
        guard isSame(packedSize, local.packedSize) else {
            return differ("packed size", packedSize, local.packedSize)
        }
        guard isSame(size, local.size) else { return differ("size", size, local.size) }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// A little-endian number of at most 8 bytes; `offset` counts from the slice's start.
    func little(_ offset: Int, _ size: Int) -> UInt64 {
        (0..<size).reduce(0) { $0 | UInt64(self[startIndex + offset + $1]) << UInt64(8 * $1) }
    }
}
