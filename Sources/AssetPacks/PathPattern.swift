import PackFormat

/// A pattern for paths: `*` and `?` stay within a folder, `**` crosses folders.
///
/// Names are compared as text, so a pattern finds a file in whatever Unicode normalisation either is written.
struct PathPattern {
    private let parts: [[Character]]

    init(_ text: String) {
        parts = PackPath.parts(text).map(Array.init)
    }

    /// Whether the pattern is that of `path`, whose parts are separated by `/`.
    ///
    /// Takes time in proportion to the parts of both, multiplied: each pair is looked at once.
    func matches(_ path: String) -> Bool {
        let names = PackPath.parts(path).map(Array.init)
        // Which lengths of the path's start the pattern's parts so far can be.
        var lengths: Set<Int> = [0]
        for (index, part) in parts.enumerated() {
            if part == ["*", "*"] {
                guard let shortest = lengths.min() else { return false }
                // A pattern that ends so stands for everything below, and not for the folder itself.
                let first = index == parts.count - 1 ? shortest + 1 : shortest
                lengths = first <= names.count ? Set(first...names.count) : []
            } else {
                lengths = Set(
                    lengths.filter { $0 < names.count && Self.matchName(part[...], names[$0][...]) }.map { $0 + 1 })
            }
        }
        return lengths.contains(names.count)
    }

    /// Linear in both: only the last star is ever returned to.
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
