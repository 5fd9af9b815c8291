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
        if let keyed = try? decoder.container(keyedBy: AnyKey.self) {
            var dictionary: [String: PropertyList] = [:]
            for key in keyed.allKeys { dictionary[key.stringValue] = try keyed.decode(PropertyList.self, forKey: key) }
            self = .dictionary(dictionary)
        } else if var unkeyed = try? decoder.unkeyedContainer() {
            var array: [PropertyList] = []
            while !unkeyed.isAtEnd { array.append(try unkeyed.decode(PropertyList.self)) }
            self = .array(array)
        } else {
            let single = try decoder.singleValueContainer()
            if let value = try? single.decode(String.self) {
                self = .string(value)
            } else if let value = try? single.decode(Bool.self) {
                self = .boolean(value)
            } else if let value = try? single.decode(Int64.self) {
                self = .integer(value)
            } else if let value = try? single.decode(Double.self) {
                self = .real(value)
            } else {
                self = .other("data, a date or a number that cannot be read")
            }
        }
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
