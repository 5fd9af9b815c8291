import LinkModel
import PackFormat

extension Form where Value == String {
    /// What a pack may be called by: its identifier, one of its tags, or its file's name.
    static var packName: Form {
        let expected = "the name of a pack: its identifier, a tag, or a file name"
        return scalar(expected) { text in
            let isName = !text.isEmpty && text.utf8.count <= 255 && !text.contains { $0.isNewline || $0 == "\t" }
            return isName ? .value(text) : .wrong(text, not: expected)
        }
    }
}

extension Form where Value == ByteOffset {
    /// A place in a body: `40 %` or `1 MiB`.
    static var byteOffset: Form {
        let expected = "a place in a body, such as 40 % or 1 MiB"
        return scalar(expected) { text in
            do throws(UnitError) {
                if text.contains("%") { return .value(.fraction(try Ratio(parsing: text).fraction)) }
                return .value(.bytes(try ByteCount(parsing: text).bytes))
            } catch {
                return .wrong(text, not: expected, hint: error.reason)
            }
        }
    }
}
