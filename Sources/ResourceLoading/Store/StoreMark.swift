import SystemPackage

/// Checks which version of Headwind wrote the mark of a store or device.
enum StoreMark {
    /// Throws if the mark is like the title but has a larger number: a later version may use the folder differently.
    ///
    /// `title` is what this version writes: words, a number, and a line end.
    static func refuseLater(_ mark: FilePath, than title: String) throws(StoreError) {
        guard let bytes = FileSystem.contents(of: mark, limit: 4096) else { return }
        let (known, found) = (parts(of: title), parts(of: String(decoding: bytes, as: UTF8.self)))
        guard let known, let found, known.words == found.words, found.number > known.number else { return }
        let detail =
            "A later Headwind wrote it, in version \(found.number); this Headwind reads version \(known.number). "
            + "Use the Headwind that wrote it, or name another folder."
        throw StoreError("use", mark, nil, detail: detail)
    }

    /// The words of a title's first line and the number at its end; nil if there is no number.
    private static func parts(of title: String) -> (words: Substring, number: Int)? {
        let line = title.prefix { $0 != "\n" }
        guard let blank = line.lastIndex(of: " "), let number = Int(line[line.index(after: blank)...]) else {
            return nil
        }
        return (line[..<blank], number)
    }
}
