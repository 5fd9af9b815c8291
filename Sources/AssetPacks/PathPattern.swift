/// A pattern for paths: `*` and `?` stay within a folder, `**` crosses folders.
struct PathPattern {
    private let parts: [[Character]]

    init(_ text: String) {
        parts = text.split(separator: "/", omittingEmptySubsequences: false).map(Array.init)
    }

    func matches(_ path: String) -> Bool {
        Self.match(parts[...], path.split(separator: "/").map(Array.init)[...])
    }

    private static func match(_ pattern: ArraySlice<[Character]>, _ path: ArraySlice<[Character]>) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        if first == ["*", "*"] {
            let rest = pattern.dropFirst()
            // A pattern that ends so stands for everything below.
            if rest.isEmpty { return !path.isEmpty }
            return (0...path.count).contains { match(rest, path.dropFirst($0)) }
        }
        guard let name = path.first, matchName(first[...], name[...]) else { return false }
        return match(pattern.dropFirst(), path.dropFirst())
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
