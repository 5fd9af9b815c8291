/// A look at a binary property list before it is decoded: one that is cyclic, or deeper than any pack's, is refused.
///
/// The form is Apple's CFBinaryPList: eight bytes `bplist00`, objects, a table of their offsets, a trailer of 32 bytes.
struct BinaryPropertyList {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let top: Int
    private let table: Int
    private let what: String

    /// Levels of containers within each other; a manifest has 4.
    private static let mostLevels = 64
    /// References in all containers together, so that no small list unfolds into a huge one.
    private static let mostReferences = 4_000_000

    /// Throws for a binary list that cannot be walked; says nothing of one in XML.
    static func check(_ bytes: [UInt8], what: String) throws(PackFormatError) {
        guard bytes.starts(with: Array("bplist".utf8)) else { return }
        let list = try BinaryPropertyList(bytes, what: what)
        var budget = mostReferences
        try list.walk(list.top, level: 0, budget: &budget)
    }

    private init(_ bytes: [UInt8], what: String) throws(PackFormatError) {
        guard bytes.count >= 40 else { throw .notReadable(what: what, reason: "it is cut off") }
        let trailer = bytes.count - 32
        self.bytes = bytes
        self.what = what
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        func number(at offset: Int) -> Int? { Self.integer(bytes[offset..<offset + 8]) }
        guard let count = number(at: trailer + 8), let top = number(at: trailer + 16),
            let table = number(at: trailer + 24),
            (1...8).contains(offsetSize), (1...8).contains(referenceSize), count > 0, top < count,
            count <= bytes.count, table >= 8, table <= trailer, (trailer - table) / offsetSize >= count
        else { throw .notReadable(what: what, reason: "its trailer does not fit its \(bytes.count) bytes") }
        (self.count, self.top, self.table) = (count, top, table)
    }

    private func walk(_ object: Int, level: Int, budget: inout Int) throws(PackFormatError) {
        guard level <= Self.mostLevels else {
            throw .notReadable(what: what, reason: "it is cyclic, or has more than \(Self.mostLevels) levels")
        }
        let slot = table + object * offsetSize
        guard let offset = Self.integer(bytes[slot..<slot + offsetSize]), offset >= 8, offset < table else {
            throw .notReadable(what: what, reason: "object \(object) lies outside of it")
        }
        let kind = bytes[offset] >> 4
        guard kind == 0xA || kind == 0xC || kind == 0xD else { return }
        let (length, start) = try length(at: offset)
        let references = length.multipliedReportingOverflow(by: kind == 0xD ? 2 : 1)
        let size = references.partialValue.multipliedReportingOverflow(by: referenceSize)
        guard !references.overflow, !size.overflow, size.partialValue <= table - start else {
            throw .notReadable(what: what, reason: "a container at byte \(offset) is longer than the list")
        }
        budget -= references.partialValue
        guard budget >= 0 else {
            throw .notReadable(what: what, reason: "it unfolds to more than \(Self.mostReferences) objects")
        }
        for index in 0..<references.partialValue {
            let place = start + index * referenceSize
            guard let child = Self.integer(bytes[place..<place + referenceSize]), child < count else {
                throw .notReadable(
                    what: what, reason: "a container at byte \(offset) names an object that is not there")
            }
            try walk(child, level: level + 1, budget: &budget)
        }
    }

    /// The count of a container's entries, and where they begin.
    private func length(at offset: Int) throws(PackFormatError) -> (count: Int, start: Int) {
        let short = Int(bytes[offset] & 0xF)
        guard short == 0xF else { return (short, offset + 1) }
        let marker = offset + 1
        let size = marker < table ? 1 << (bytes[marker] & 0xF) : 0
        guard marker < table, bytes[marker] >> 4 == 1, size <= 8, marker + 1 + size <= table,
            let count = Self.integer(bytes[(marker + 1)..<(marker + 1 + size)])
        else { throw .notReadable(what: what, reason: "a container at byte \(offset) has no length") }
        return (count, marker + 1 + size)
    }

    /// A number, the highest byte first; nil where it does not fit.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int? {
        var value: UInt64 = 0
        for byte in bytes { value = value << 8 | UInt64(byte) }
        return Int(exactly: value)
    }
}
