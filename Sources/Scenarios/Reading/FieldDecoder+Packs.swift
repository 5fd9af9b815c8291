import LinkModel
import PackFormat

extension FieldDecoder where Value == String {
    /// The name of a pack: its identifier, a tag, all of its tags (`red+circle`), or its file's name.
    static var packName: FieldDecoder {
        let expected = "the name of a pack: its identifier, a tag, all of its tags joined by '+', or a file name"
        let name = scalar(expected) { text in
            let isName = !text.isEmpty && text.utf8.count <= 255 && !text.contains { $0.isNewline || $0 == "\t" }
            return isName ? .value(text) : .wrong(text, not: expected)
        }
        return name.then { text, node, problems in
            problems.mention(text, at: node.mark)
            return text
        }
    }
}

extension FieldDecoder where Value == ByteOffset {
    /// A place in a body: `40 %` or `1 MiB`.
    static var byteOffset: FieldDecoder {
        let expected = "a place in a body, such as 40 % or 1 MiB"
        let pattern = TextPattern.whole(TextPattern.share, TextPattern.size)
        return measured(expected, pattern: pattern) { text throws(UnitError) in
            if text.contains("%") { return .value(.fraction(try Ratio(parsing: text).fraction)) }
            return .value(.bytes(try ByteCount(parsing: text).bytes))
        }
    }
}
