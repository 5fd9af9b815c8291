import FoundationEssentials

/// A property list that was read, or is to be written.
///
/// Lists of packs are not trusted: they are read into these values, within limits, before their content is used. Keys
/// are written in order, so the same packs give the same bytes.
package enum PropertyList: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case array([PropertyList])
    case dictionary([String: PropertyList])
    /// A value that no pack's list has: data, a date, an identifier.
    case other(String)

    /// The most bytes of a list that is read: 16 MiB; the manifest of 1000 packs has some 300 kB.
    package static let mostBytes = 16 << 20
    /// The most levels of containers; a manifest has 4.
    static let mostLevels = 32

    /// Reads a binary or an XML list; `what` is its name in errors; throws `notReadable`.
    package init(_ bytes: [UInt8], what: String) throws(PackFormatError) {
        guard !bytes.isEmpty else { throw .notReadable(what: what, reason: "it is empty") }
        guard bytes.count <= Self.mostBytes else {
            throw .notReadable(
                what: what, reason: "it has \(bytes.count) bytes; the limit is \(Self.mostBytes)")
        }
        if bytes.starts(with: "bplist".utf8) {
            self = try BinaryPropertyListReader.read(bytes, what: what)
        } else {
            self = try Self.xml(bytes, what: what)
        }
    }

    /// What kind of value it is, for errors.
    package var kind: String {
        switch self {
        case .string: "a string"
        case .integer: "a whole number"
        case .real: "a number"
        case .boolean: "a boolean"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .other(let kind): kind
        }
    }

    /// The list in Apple's binary form, keys in order and equal values shared: the same list gives the same bytes.
    var binary: [UInt8] {
        var writer = BinaryPropertyListWriter()
        writer.collect(self)
        return writer.file(top: self)
    }
}

extension PropertyList: Decodable {
    /// Reads a list in XML by Foundation, after a check of its markup.
    private static func xml(_ bytes: [UInt8], what: String) throws(PackFormatError) -> PropertyList {
        // Foundation also reads a third form, in which a plain text is a list; it is refused here.
        let start = bytes.firstIndex { ![0xEF, 0xBB, 0xBF, 0x09, 0x0A, 0x0D, 0x20].contains($0) }
        guard let start, bytes[start] == UInt8(ascii: "<") else {
            throw .notReadable(
                what: what, reason: "it is not a property list: it should begin with 'bplist00' or, in XML, with '<'")
        }
        // Foundation's parser ends the process if a number is not UTF-8.
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw .notReadable(what: what, reason: "it is XML that is not UTF-8; save it as UTF-8")
        }
        let markup: XMLMarkup
        do { markup = try XMLMarkup(of: bytes) } catch {
            throw .notReadable(what: what, reason: "\(error), so it is not a property list")
        }
        guard let list = try? PropertyListDecoder().decode(PropertyList.self, from: Data(bytes)) else {
            throw .notReadable(
                what: what,
                reason: "it is XML with an invalid value: look for a bare '&', or an empty or invalid "
                    + "number, date or data, for example with plutil -lint")
        }
        guard list.keyCount == markup.keys else {
            throw .notReadable(
                what: what, reason: "a dictionary in it has the same key twice, maybe in two Unicode normalisations")
        }
        return list
    }

    /// The number of keys of all dictionaries in it; Foundation drops one of two equal keys.
    private var keyCount: Int {
        switch self {
        case .array(let values): values.reduce(0) { $0 + $1.keyCount }
        case .dictionary(let values): values.values.reduce(values.count) { $0 + $1.keyCount }
        case .string, .integer, .real, .boolean, .other: 0
        }
    }

    package init(from decoder: any Decoder) throws {
        if let value = try? [String: PropertyList](from: decoder) {
            self = .dictionary(value)
        } else if let value = try? [PropertyList](from: decoder) {
            self = .array(value)
        } else if let value = try? String(from: decoder) {
            self = .string(value)
        } else if let value = try? Bool(from: decoder) {
            self = .boolean(value)
        } else if let value = try? Int64(from: decoder) {
            self = .integer(value)
        } else if let value = try? Double(from: decoder) {
            self = .real(value)
        } else {
            self = .other("data, a date or a number that cannot be read")
        }
    }
}

/// Writes Apple's binary property lists; see ``BinaryPropertyListReader`` for their form.
private struct BinaryPropertyListWriter {
    private var numbers: [ExactPropertyList: Int] = [:]
    private var objects: [PropertyList] = []

    /// Numbers a value, and then what it contains, each once.
    mutating func collect(_ value: PropertyList) {
        guard numbers.updateValue(objects.count, forKey: .init(value: value)) == nil else { return }
        objects.append(value)
        switch value {
        case .array(let values):
            for value in values where numbers[.init(value: value)] == nil { collect(value) }
        case .dictionary(let values):
            let entries = values.sorted { $0.key < $1.key }
            for (key, _) in entries where numbers[.init(value: .string(key))] == nil { collect(.string(key)) }
            for (_, value) in entries where numbers[.init(value: value)] == nil { collect(value) }
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
        for number in [objects.count, numbers[.init(value: top)] ?? 0, table] {
            bytes += Self.bigEndian(number, size: 8)
        }
        return bytes
    }

    private func append(_ value: PropertyList, to bytes: inout [UInt8], referenceSize: Int) {
        func reference(_ value: PropertyList) -> [UInt8] {
            guard let number = numbers[.init(value: value)] else { preconditionFailure("every value was collected") }
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

/// A property list that equals another only if all their texts are the same bytes.
///
/// Texts that differ by Unicode normalisation are equal as `String`, and may still be the names of two files.
private struct ExactPropertyList: Hashable {
    let value: PropertyList

    static func == (one: ExactPropertyList, other: ExactPropertyList) -> Bool {
        switch (one.value, other.value) {
        case (.string(let one), .string(let other)):
            one.utf8.elementsEqual(other.utf8)
        case (.array(let one), .array(let other)):
            one.elementsEqual(other) { Self(value: $0) == Self(value: $1) }
        case (.dictionary(let one), .dictionary(let other)):
            one.sorted { $0.key < $1.key }.elementsEqual(other.sorted { $0.key < $1.key }) { entry, other in
                entry.key.utf8.elementsEqual(other.key.utf8) && Self(value: entry.value) == Self(value: other.value)
            }
        default:
            one.value == other.value
        }
    }

    /// Values that are equal byte by byte are also equal as texts, so they have one hash.
    func hash(into hasher: inout Hasher) {
        value.hash(into: &hasher)
    }
}
