import PackFormat

/// Names that differ only by upper and lower case letters.
enum LetterCase {
    /// What is to be said of such names in one pack, one sentence for each pair, folders' names too.
    ///
    /// Linux, iOS and tvOS tell them apart. APFS on a Mac does not, unless it was made so.
    static func advice(_ paths: [String]) -> [String] {
        var (names, told, advice) = ([String: String](), Set<String>(), [String]())
        for path in paths {
            var way = ""
            for part in PackPath.parts(path) {
                way += way.isEmpty ? part : "/" + part
                let known = names[way.lowercased(), default: way]
                names[way.lowercased()] = known
                guard known != way, told.insert(way).inserted else { continue }
                // What lies in such a folder is no news.
                guard PackPath.parent(of: known) == PackPath.parent(of: way) else { continue }
                advice.append(
                    "'\(NameText.visible(known))' and '\(NameText.visible(way))' differ only by upper and lower case, "
                        + "and a Mac's file system holds only one of them unless it was made case-sensitive")
            }
        }
        return advice
    }
}
