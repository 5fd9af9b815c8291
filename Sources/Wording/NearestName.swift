/// Finds the name that a misspelled text probably means.
package enum NearestName {
    /// The name in `names` with the fewest edits to `text`; nil if none is near enough.
    ///
    /// A name is near if the distance is one edit, or at most a third of the letters of the longer text. If `text` has
    /// three letters or more, the only name that begins with it also counts. An edit inserts, removes or replaces a
    /// letter, or swaps neighbours (the optimal string alignment distance). Case does not count. Of equally near names
    /// the first in `names` is returned.
    package static func of(_ text: String, in names: some Sequence<String>) -> String? {
        let wanted = Array(text.lowercased().unicodeScalars.prefix(longest))
        var best: (name: String, distance: Int)?
        for name in names {
            let candidate = Array(name.lowercased().unicodeScalars.prefix(longest))
            let allowed = max(1, max(wanted.count, candidate.count) / 3)
            guard abs(candidate.count - wanted.count) <= allowed else { continue }
            let distance = distance(wanted, candidate)
            if distance <= allowed, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name ?? completion(of: text, in: names)
    }

    /// The question in a diagnostic: "did you mean 'rate'?"; nil if no name is near.
    package static func hint(for text: String, in names: some Sequence<String>) -> String? {
        of(text, in: names).map { "did you mean '\($0)'?" }
    }

    /// The only name that begins with `text`, which may be an abbreviation.
    private static func completion(of text: String, in names: some Sequence<String>) -> String? {
        guard text.count >= 3 else { return nil }
        let matches = names.filter { $0.lowercased().hasPrefix(text.lowercased()) }
        return matches.count == 1 ? matches[0] : nil
    }

    /// The most scalars of a text that are compared, which limits the work.
    private static let longest = 64

    /// The number of edits between the first 64 scalars of two texts; case counts.
    package static func distance(_ left: String, _ right: String) -> Int {
        distance(Array(left.unicodeScalars.prefix(longest)), Array(right.unicodeScalars.prefix(longest)))
    }

    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let substitution = last[column] + (left[row] == right[column] ? 0 : 1)
                var edits = min(substitution, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    edits = min(edits, beforeLast[column - 1] + 1)
                }
                current.append(edits)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
