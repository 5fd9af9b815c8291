import PackFormat

/// A pattern for paths: `*` and `?` stay within a folder, `**` crosses folders.
///
/// Names are compared as text, so a pattern matches a file whatever the Unicode normalisation of either.
struct PathPattern {
    private let parts: [[Character]]

    init(_ text: String) {
        parts = PackPath.parts(text).map(Array.init)
    }

    /// Whether the pattern matches `path`, whose parts are separated by `/`.
    ///
    /// The time is proportional to the product of their numbers of parts: each pair is compared once.
    func matches(_ path: String) -> Bool {
        let names = PackPath.parts(path).map(Array.init)
        // The numbers of the path's first parts that the pattern's parts so far can match.
        var lengths: Set<Int> = [0]
        for (index, part) in parts.enumerated() {
            if part == ["*", "*"] {
                guard let shortest = lengths.min() else { return false }
                // At the end of a pattern, it matches everything below a folder, but not the folder itself.
                let first = index == parts.count - 1 ? shortest + 1 : shortest
                lengths = first <= names.count ? Set(first...names.count) : []
            } else {
                lengths = Set(
                    lengths.filter { $0 < names.count && Self.matchName(part[...], names[$0][...]) }.map { $0 + 1 })
            }
        }
        return lengths.contains(names.count)
    }

    /// Backtracks only to the last star, so the time is bounded by the product of both lengths.
    private static func matchName(_ pattern: ArraySlice<Character>, _ name: ArraySlice<Character>) -> Bool {
        var (rest, left) = (pattern, name)
        var retry: (pattern: ArraySlice<Character>, name: ArraySlice<Character>)?
        while let character = left.first {
            if rest.first == "*" {
                rest = rest.dropFirst()
                retry = (rest, left)
            } else if let wanted = rest.first, wanted == "?" || wanted == character {
                rest = rest.dropFirst()
                left = left.dropFirst()
            } else if let (pattern, name) = retry {
                (rest, left) = (pattern, name.dropFirst())
                retry = (rest, left)
            } else {
                return false
            }
        }
        return rest.allSatisfy { $0 == "*" }
    }
}
