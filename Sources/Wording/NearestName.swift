/// Finds what somebody meant to write.
package enum NearestName {
    /// The name in `names` that is fewest edits away from `text`, or nil where none is near enough to be meant.
    ///
    /// Near is one edit, or as many as a third of the letters of the longer text. The only name that begins with `text`
    /// is meant too, where `text` has three letters or more.
    /// An edit inserts, removes, replaces or swaps neighbours (the optimal string alignment distance). Case does not
    /// count. Of equally near names the first in `names` is taken.
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

    /// The question that a diagnostic asks: "did you mean 'rate'?"; nil where no name is near.
    package static func hint(for text: String, in names: some Sequence<String>) -> String? {
        of(text, in: names).map { "did you mean '\($0)'?" }
    }

    /// The only name that begins with `text`, where somebody abbreviated.
    private static func completion(of text: String, in names: some Sequence<String>) -> String? {
        guard text.count >= 3 else { return nil }
        let matches = names.filter { $0.lowercased().hasPrefix(text.lowercased()) }
        return matches.count == 1 ? matches[0] : nil
    }

    /// Longer texts are compared by their beginnings, which bounds the work.
    private static let longest = 64

    /// The edits between two texts, of which the first 64 scalars count; case counts too.
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
