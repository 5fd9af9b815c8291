/// What can be seen of an XML file without a parser.
enum XMLMarkup {
    /// How often an element of this name begins; comments and CDATA sections are passed over (XML 1.0 §2.5, §2.7).
    static func count(of element: String, in bytes: [UInt8]) -> Int {
        let sections = [("<!--", "-->"), ("<![CDATA[", "]]>")].map { (Array($0.utf8), Array($1.utf8)) }
        let start = Array("<\(element)".utf8)
        var (count, rest) = (0, bytes[...])
        while let index = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[index...]
            if let (opening, closing) = sections.first(where: { rest.starts(with: $0.0) }) {
                rest = rest.dropFirst(opening.count)
                rest = rest.firstRange(of: closing).map { rest[$0.upperBound...] } ?? []
                continue
            }
            if rest.starts(with: start), let next = rest.dropFirst(start.count).first,
                [0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: "/"), UInt8(ascii: ">")].contains(next)
            {
                count += 1
            }
            rest = rest.dropFirst()
        }
        return count
    }
}
