extension PropertyList {
    /// The list in Apple's binary form, keys in order and equal values shared: the same list gives the same bytes.
    var binary: [UInt8] {
        var writer = BinaryPropertyListWriter()
        writer.collect(self)
        return writer.file(top: self)
    }
}

/// Writes Apple's binary property lists; see ``BinaryPropertyListReader`` for their form.
private struct BinaryPropertyListWriter {
    private var numbers: [ExactPropertyList: Int] = [:]
    private var objects: [PropertyList] = []

    /// Numbers a value, and then what it contains, each once.
    mutating func collect(_ value: PropertyList) {
        guard numbers.updateValue(objects.count, forKey: .init(value)) == nil else { return }
        objects.append(value)
        switch value {
        case .array(let values):
            for value in values where numbers[.init(value)] == nil { collect(value) }
        case .dictionary(let values):
            let entries = values.sorted { $0.key < $1.key }
            for (key, _) in entries where numbers[.init(.string(key))] == nil { collect(.string(key)) }
            for (_, value) in entries where numbers[.init(value)] == nil { collect(value) }
        case .string, .integer, .real, .boolean, .other: break
        }
    }

    func file(top: PropertyList) -> [UInt8] {
        let referenceSize = Self.size(of: objects.count)
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            append(object, to: &bytes, referenceSize: referenceSize)
        }
        let table = bytes.count
        let offsetSize = Self.size(of: table)
        for offset in offsets { bytes += Self.bigEndian(offset, size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [objects.count, numbers[.init(top)] ?? 0, table] { bytes += Self.bigEndian(number, size: 8) }
        return bytes
    }

    private func append(_ value: PropertyList, to bytes: inout [UInt8], referenceSize: Int) {
        func reference(_ value: PropertyList) -> [UInt8] {
            guard let number = numbers[.init(value)] else { preconditionFailure("every value was collected") }
            return Self.bigEndian(number, size: referenceSize)
        }
        switch value {
        case .boolean(let value):
            bytes.append(value ? 0x09 : 0x08)
        case .integer(let value):
            // Negative numbers always have eight bytes; the shorter forms have no sign.
            let power = value < 0 || value > UInt32.max ? 3 : value > UInt16.max ? 2 : value > UInt8.max ? 1 : 0
            bytes.append(0x10 | UInt8(power))
            bytes += Self.bigEndian(Int(value), size: 1 << power)
        case .real(let value):
            bytes.append(0x23)
            bytes += Self.bigEndian(Int(bitPattern: UInt(value.bitPattern)), size: 8)
        case .string(let text) where text.utf8.allSatisfy { $0 < 0x80 }:
            bytes += Self.head(0x50, count: text.utf8.count) + text.utf8
        case .string(let text):
            bytes += Self.head(0x60, count: text.utf16.count)
            for unit in text.utf16 { bytes += Self.bigEndian(Int(unit), size: 2) }
        case .array(let values):
            bytes += Self.head(0xA0, count: values.count)
            for value in values { bytes += reference(value) }
        case .dictionary(let values):
            let entries = values.sorted { $0.key < $1.key }
            bytes += Self.head(0xD0, count: entries.count)
            for (key, _) in entries { bytes += reference(.string(key)) }
            for (_, value) in entries { bytes += reference(value) }
        case .other(let kind):
            preconditionFailure("no list of a pack has \(kind)")
        }
    }

    private static func head(_ kind: UInt8, count: Int) -> [UInt8] {
        guard count >= 15 else { return [kind | UInt8(count)] }
        let power = count > UInt32.max ? 3 : count > UInt16.max ? 2 : count > UInt8.max ? 1 : 0
        return [kind | 0xF, 0x10 | UInt8(power)] + bigEndian(count, size: 1 << power)
    }

    private static func size(of largest: Int) -> Int {
        largest > UInt32.max ? 8 : largest > UInt16.max ? 4 : largest > UInt8.max ? 2 : 1
    }

    private static func bigEndian(_ value: Int, size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
    }
}
