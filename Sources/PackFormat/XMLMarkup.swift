/// Scans an XML file in one pass, without a parser, and refuses whatever a parser might trip over.
///
/// It also reports the line of elements that are not those of a property list. Parsers differ in where they end a tag,
/// a declaration or a document type. Anything that could hide an element from this scan, but not from a parser, is a
/// fault; no list by Apple's tools has it.
struct XMLMarkup {
    /// Why the file should not be parsed, with the line.
    struct Fault: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    /// An element that has begun but not ended.
    private struct Element {
        let name: String
        /// Where its tag begins.
        let start: Int
        /// The number of elements in it so far.
        var children = 0
    }

    private static let lessThan = UInt8(ascii: "<")
    private static let greaterThan = UInt8(ascii: ">")
    private static let slash = UInt8(ascii: "/")
    private static let spaces: [UInt8] = [0x09, 0x0A, 0x0D, 0x20]
    private static let containers = ["plist", "dict", "array"]
    private static let values = ["key", "string", "integer", "real", "true", "false", "date", "data"]

    /// The number of `key` elements.
    private(set) var keys = 0
    private let bytes: [UInt8]
    private var open: [Element] = []

    /// Scans a file (XML 1.0 §2.4 to §2.8, §3.1); a tag that is cut off is left to the parser.
    init(of bytes: [UInt8]) throws(Fault) {
        self.bytes = bytes
        var rest = bytes[...]
        while let start = rest.firstIndex(of: Self.lessThan) {
            rest = rest[start...]
            if rest.starts(with: "<!--".utf8) {
                rest = Self.after("-->", in: rest.dropFirst(4))
            } else if rest.starts(with: "<![CDATA[".utf8) {
                rest = Self.after("]]>", in: rest.dropFirst(9))
            } else if rest.starts(with: "<?".utf8) {
                let end = Self.after("?>", in: rest.dropFirst(2))
                try checkEncoding(rest[..<end.startIndex])
                rest = end
            } else {
                let tag = try tag(rest)
                rest = rest[tag.endIndex...]
                if tag.dropFirst().first != UInt8(ascii: "!") { try take(tag) }
            }
        }
        guard let last = open.last else { return }
        throw fault(last.start, "<\(last.name)> has no end")
    }

    /// Takes the next tag, which begins an element, ends one, or does both.
    private mutating func take(_ tag: ArraySlice<UInt8>) throws(Fault) {
        let isEnd = tag.dropFirst().first == Self.slash
        let raw = tag.dropFirst(isEnd ? 2 : 1).prefix { !Self.spaces.contains($0) && $0 != Self.slash && $0 != 0x3E }
        let name =
            Self.containers.first { raw.elementsEqual($0.utf8) } ?? Self.values.first { raw.elementsEqual($0.utf8) }
        guard let name else {
            let shown = NameText.visible(String(decoding: raw.prefix(40), as: UTF8.self))
            throw fault(
                tag.startIndex,
                "there should be one of the elements "
                    + "\((Self.containers + Self.values).joined(separator: ", ")), and there is '\(shown)'")
        }
        guard !isEnd else { return try end(name, at: tag.startIndex) }
        try begin(name, at: tag.startIndex)
        if tag.dropLast().last == Self.slash { try end(name, at: tag.startIndex) }
    }

    private mutating func begin(_ name: String, at start: Int) throws(Fault) {
        if name == "key" { keys += 1 }
        if let parent = open.last {
            guard Self.containers.contains(parent.name) else {
                throw fault(start, "<\(parent.name)> should hold a text, and there is <\(name)> in it")
            }
            if parent.name == "dict", (name == "key") != parent.children.isMultiple(of: 2) {
                let wanted = name == "key" ? "the value of the <key> before it" : "a <key>"
                throw fault(start, "there should be \(wanted), and there is <\(name)>")
            }
            if parent.name == "plist", parent.children > 0 {
                throw fault(start, "<plist> should hold one value, and there is another, <\(name)>")
            }
            open[open.count - 1].children += 1
        }
        guard open.count <= PropertyList.mostLevels + 1 else {
            throw fault(start, "it has more than \(PropertyList.mostLevels) levels")
        }
        open.append(Element(name: name, start: start))
    }

    private mutating func end(_ name: String, at start: Int) throws(Fault) {
        guard let last = open.popLast() else { throw fault(start, "</\(name)> ends an element that has not begun") }
        guard last.name == name else {
            throw fault(start, "there should be </\(last.name)>, and there is </\(name)>")
        }
        if name == "dict", !last.children.isMultiple(of: 2) {
            throw fault(start, "the last <key> before it has no value")
        }
    }

    /// A fault in the line of the byte at `place`.
    private func fault(_ place: Int, _ reason: String) -> Fault {
        Fault(description: "in line \(bytes[..<place].count { $0 == 0x0A } + 1), \(reason)")
    }

    /// The tag or document type at the start of `rest`, up to the `>` that ends it.
    private func tag(_ rest: ArraySlice<UInt8>) throws(Fault) -> ArraySlice<UInt8> {
        var quote: UInt8?
        for index in rest.indices.dropFirst() {
            switch rest[index] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if quote == nil { quote = rest[index] } else if quote == rest[index] { quote = nil }
            case Self.lessThan: throw fault(index, "a tag has a '<' in it")
            case UInt8(ascii: "["): throw fault(index, "it defines its own document type")
            case Self.greaterThan:
                guard quote == nil else { throw fault(index, "an attribute has a '>' in it") }
                return rest[rest.startIndex...index]
            default: continue
            }
        }
        return rest
    }

    /// Throws if a declaration names an encoding in which bytes have another meaning than in UTF-8.
    private func checkEncoding(_ declaration: ArraySlice<UInt8>) throws(Fault) {
        let text = String(decoding: declaration, as: UTF8.self).lowercased()
        guard text.contains("encoding"), !text.contains("utf-8"), !text.contains("us-ascii") else { return }
        throw fault(declaration.startIndex, "its encoding is not UTF-8")
    }

    /// The bytes after `text` in `rest`; empty if `text` is not there.
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
