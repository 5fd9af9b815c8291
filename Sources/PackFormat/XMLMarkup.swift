/// What can be seen of an XML file without a parser, in one pass: it tells beforehand what a parser would run into.
///
/// Parsers differ in where they end a tag, a declaration or a document type. Whatever could hide an element from this, and
/// not from a parser, is a fault; no list that Apple's tools write has it.
struct XMLMarkup: Hashable {
    /// Why this should not be parsed.
    struct Fault: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    /// The most elements within each other.
    private(set) var levels = 0
    /// How often the element `key` begins.
    private(set) var keys = 0

    private static let lessThan = UInt8(ascii: "<")
    private static let greaterThan = UInt8(ascii: ">")
    private static let slash = UInt8(ascii: "/")

    /// Looks through a file (XML 1.0 §2.4 to §2.8, §3.1); what is cut off is left to the parser.
    init(of bytes: [UInt8]) throws(Fault) {
        var (rest, depth) = (bytes[...], 0)
        while let start = rest.firstIndex(of: Self.lessThan) {
            rest = rest[start...]
            if rest.starts(with: "<!--".utf8) {
                rest = Self.after("-->", in: rest.dropFirst(4))
            } else if rest.starts(with: "<![CDATA[".utf8) {
                rest = Self.after("]]>", in: rest.dropFirst(9))
            } else if rest.starts(with: "<?".utf8) {
                let end = Self.after("?>", in: rest.dropFirst(2))
                try Self.checkEncoding(rest[..<end.startIndex])
                rest = end
            } else {
                let tag = try Self.tag(rest)
                rest = rest[tag.endIndex...]
                guard tag.dropFirst().first != UInt8(ascii: "!") else { continue }
                if tag.dropFirst().first == Self.slash {
                    depth = max(0, depth - 1)
                    continue
                }
                if Self.isKey(tag) { keys += 1 }
                levels = max(levels, depth + 1)
                if tag.dropLast().last != Self.slash { depth += 1 }
            }
        }
    }

    /// A tag or a document type, to the `>` that ends it.
    private static func tag(_ rest: ArraySlice<UInt8>) throws(Fault) -> ArraySlice<UInt8> {
        var quote: UInt8?
        for index in rest.indices.dropFirst() {
            switch rest[index] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if quote == nil { quote = rest[index] } else if quote == rest[index] { quote = nil }
            case lessThan: throw Fault(description: "a tag has a '<' in it")
            case UInt8(ascii: "["): throw Fault(description: "it has a document type of its own")
            case greaterThan:
                guard quote == nil else { throw Fault(description: "an attribute has a '>' in it") }
                return rest[rest.startIndex...index]
            default: continue
            }
        }
        return rest
    }

    private static func isKey(_ tag: ArraySlice<UInt8>) -> Bool {
        guard tag.starts(with: "<key".utf8), let next = tag.dropFirst(4).first else { return false }
        return [0x09, 0x0A, 0x0D, 0x20, slash, greaterThan].contains(next)
    }

    /// Throws for a declaration of an encoding in which bytes mean something else than in UTF-8.
    private static func checkEncoding(_ declaration: ArraySlice<UInt8>) throws(Fault) {
        let text = String(decoding: declaration, as: UTF8.self).lowercased()
        guard text.contains("encoding"), !text.contains("utf-8"), !text.contains("us-ascii") else { return }
        throw Fault(description: "its encoding is not UTF-8")
    }

    /// What follows a text; nothing where it is not there.
    private static func after(_ text: String, in rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let wanted = Array(text.utf8)
        var index = rest.startIndex
        while let place = rest[index...].firstIndex(of: wanted[0]) {
            if rest[place...].starts(with: wanted) { return rest[(place + wanted.count)...] }
            index = place + 1
        }
        return rest[rest.endIndex...]
    }
}
