/// Reads Apple's binary property lists: `bplist00`, objects, a table of their offsets, a trailer of 32 bytes.
///
/// Objects refer to each other by number, so a small list can be endless, or expand into a huge one. Each object is
/// read once and shared by all references to it. Cycles, deep lists and too many references are refused.
///
/// Source: CFBinaryPList.c of apple/swift-corelibs-foundation.
struct BinaryPropertyListReader {
    private struct Object {
        let value: PropertyList
        /// Levels of containers, including itself; 0 for a plain value.
        let levels: Int
        /// Values within it, including itself; a shared value counts once per reference.
        var values = 1
    }

    private static let mostReferences = 1_000_000
    /// The limit of values after expansion: a walk through the list visits a shared value once per reference.
    private static let mostValues = 4_000_000

    private let bytes: [UInt8]
    private let what: String
    private let offsetSize: Int
    private let referenceSize: Int
    /// Where the objects end and the table of their offsets begins.
    private let table: Int
    private let count: Int
    private var objects: [Int: Object] = [:]
    private var open: Set<Int> = []
    private var references = 0
    /// Where the current object begins.
    private var place = 0

    static func read(_ bytes: [UInt8], what: String) throws(PackFormatError) -> PropertyList {
        var (reader, top) = try header(bytes, what: what)
        return try reader.object(top).value
    }

    private static func header(_ bytes: [UInt8], what: String) throws(PackFormatError) -> (Self, top: Int) {
        guard bytes.count >= 41 else {
            throw .notReadable(what: what, reason: "it is cut off: it has \(bytes.count) bytes of at least 41")
        }
        let trailer = bytes.count - 32
        let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard let count = integer(bytes[(trailer + 8)..<(trailer + 16)]),
            let top = integer(bytes[(trailer + 16)..<(trailer + 24)]),
            let table = integer(bytes[(trailer + 24)..<(trailer + 32)]),
            (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            table > 8, table <= trailer, top < count, count <= (trailer - table) / offsetSize
        else {
            throw .notReadable(
                what: what,
                reason:
                    "its trailer, the 32 bytes from byte \(trailer), does not fit its size")
        }
        let reader = Self(
            bytes: bytes, what: what, offsetSize: offsetSize, referenceSize: referenceSize, table: table, count: count)
        return (reader, top)
    }

    private mutating func object(_ number: Int) throws(PackFormatError) -> Object {
        if let object = objects[number] { return object }
        #if !PLANTED_FAULT
            guard number < count else { throw wrong("it refers to object \(number), but has \(count) objects") }
        #endif
        guard open.count < PropertyList.mostLevels else {
            throw wrong("it has more than \(PropertyList.mostLevels) levels")
        }
        guard open.insert(number).inserted else { throw wrong("object \(number) contains itself") }
        defer { open.remove(number) }
        let slot = table + number * offsetSize
        guard let offset = Self.integer(bytes[slot..<slot + offsetSize]), offset >= 8, offset < table else {
            throw wrong("object \(number) is outside the list")
        }
        place = offset
        let object = try read(at: offset)
        guard object.values <= Self.mostValues else {
            throw wrong("it expands to more than \(Self.mostValues) values")
        }
        guard object.levels <= PropertyList.mostLevels else {
            throw wrong("it has more than \(PropertyList.mostLevels) levels")
        }
        objects[number] = object
        return object
    }

    private mutating func read(at offset: Int) throws(PackFormatError) -> Object {
        let low = Int(bytes[offset] & 0xF)
        switch bytes[offset] >> 4 {
        case 0x0 where low == 8 || low == 9: return Object(value: .boolean(low == 9), levels: 0)
        case 0x1: return Object(value: try number(at: offset + 1, size: 1 << low), levels: 0)
        case 0x2: return Object(value: try real(at: offset + 1, size: 1 << low), levels: 0)
        case 0x3: return Object(value: .other("a date"), levels: 0)
        case 0x4: return Object(value: .other("data"), levels: 0)
        case 0x5, 0x7: return Object(value: .string(try text(at: offset, unit: 1)), levels: 0)
        case 0x6: return Object(value: .string(try text(at: offset, unit: 2)), levels: 0)
        case 0x8: return Object(value: .other("an identifier"), levels: 0)
        case 0xA: return try array(at: offset)
        case 0xD: return try dictionary(at: offset)
        default: throw wrong("it has a value of an unknown type")
        }
    }

    private mutating func array(at offset: Int) throws(PackFormatError) -> Object {
        let (count, start) = try length(at: offset)
        let numbers = try references(count, at: start)
        var (values, levels, total) = ([PropertyList](), 0, 1)
        values.reserveCapacity(count)
        for number in numbers {
            let object = try object(number)
            values.append(object.value)
            levels = max(levels, object.levels)
            total += object.values
        }
        return Object(value: .array(values), levels: levels + 1, values: total)
    }

    private mutating func dictionary(at offset: Int) throws(PackFormatError) -> Object {
        let (count, start) = try length(at: offset)
        let keys = try references(count, at: start)
        let numbers = try references(count, at: start + count * referenceSize)
        var (values, names, levels, total) = ([String: PropertyList](), NameLedger(), 0, 1)
        values.reserveCapacity(count)
        for (key, number) in zip(keys, numbers) {
            guard case .string(let name) = try object(key).value else { throw wrong("a key in it is not a string") }
            let object = try object(number)
            switch names.enter(name) {
            case .new: values[name] = object.value
            case .again:
                throw wrong("a dictionary has the key '\(NameText.visible(String(name.prefix(80))))' twice")
            case .twin(let twin): throw wrong("a dictionary's keys \(NameLedger.reason(name, twin))")
            }
            levels = max(levels, object.levels)
            total += object.values + 1
        }
        return Object(value: .dictionary(values), levels: levels + 1, values: total)
    }

    private mutating func references(_ count: Int, at start: Int) throws(PackFormatError) -> [Int] {
        guard start <= table, count <= (table - start) / referenceSize else {
            throw wrong("a container is longer than the list")
        }
        references += count
        guard references <= Self.mostReferences else {
            throw wrong("it has more than \(Self.mostReferences) values")
        }
        var numbers: [Int] = []
        numbers.reserveCapacity(count)
        for place in stride(from: start, to: start + count * referenceSize, by: referenceSize) {
            guard let number = Self.integer(bytes[place..<place + referenceSize]) else {
                throw wrong("a container refers to a missing object")
            }
            numbers.append(number)
        }
        return numbers
    }

    private func number(at start: Int, size: Int) throws(PackFormatError) -> PropertyList {
        guard size <= 16, start + size <= table else { throw wrong("a number in it is cut off") }
        if size == 8 {
            let bits = bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return .integer(Int64(bitPattern: bits))
        }
        guard let value = Self.integer(bytes[start..<start + size]) else { throw wrong("a number in it is too large") }
        return .integer(Int64(value))
    }

    private func real(at start: Int, size: Int) throws(PackFormatError) -> PropertyList {
        guard size == 4 || size == 8, start + size <= table else { throw wrong("a number in it is cut off") }
        let bits = bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return .real(size == 8 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(bits))))
    }

    private func text(at offset: Int, unit: Int) throws(PackFormatError) -> String {
        let (count, start) = try length(at: offset)
        guard start <= table, count <= (table - start) / unit else { throw wrong("a string in it is cut off") }
        let raw = bytes[start..<start + count * unit]
        let text =
            unit == 1
            ? String(validating: raw, as: UTF8.self)
            : String(
                validating: stride(from: raw.startIndex, to: raw.endIndex, by: 2).map {
                    UInt16(raw[$0]) << 8 | UInt16(raw[$0 + 1])
                }, as: UTF16.self)
        guard let text else { throw wrong("a string in it is not Unicode") }
        return text
    }

    /// How many units or references a value has, and where they begin.
    private func length(at offset: Int) throws(PackFormatError) -> (count: Int, start: Int) {
        let short = Int(bytes[offset] & 0xF)
        guard short == 0xF else { return (short, offset + 1) }
        guard offset + 1 < table, bytes[offset + 1] >> 4 == 1 else { throw wrong("a value in it has no length") }
        let size = 1 << Int(bytes[offset + 1] & 0xF)
        guard size <= 8, offset + 2 + size <= table,
            let count = Self.integer(bytes[(offset + 2)..<(offset + 2 + size)])
        else { throw wrong("a value in it has no length") }
        return (count, offset + 2 + size)
    }

    private func wrong(_ reason: String) -> PackFormatError {
        .notReadable(what: what, reason: "\(reason), at byte \(place), so it is not a property list of a pack")
    }

    /// The number in big-endian order; nil if it does not fit.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int? {
        var value: UInt64 = 0
        for byte in bytes {
            guard value >> 56 == 0 else { return nil }
            value = value << 8 | UInt64(byte)
        }
        return Int(exactly: value)
    }
}
