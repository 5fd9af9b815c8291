/// The candidate that is closest to a misspelt word, or nil where none is close enough to be meant.
///
/// Close means at most a third of the longer word's letters changed, added, removed or swapped (Damerau–Levenshtein
/// distance, restricted); upper and lower case are the same. The first of equally close candidates is taken.
func nearestWord(to word: String, in candidates: some Sequence<String>) -> String? {
    let wanted = Array(word.lowercased().prefix(64))
    var best: (word: String, distance: Int)?
    for candidate in candidates {
        let letters = Array(candidate.lowercased())
        let distance = editDistance(wanted, letters)
        let longer = max(wanted.count, letters.count)
        guard distance <= longer / 3 else { continue }
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
}

/// How many letters are inserted, removed, replaced or swapped with their neighbours between two words.
func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 1...a.count {
        var row = [i]
        for j in 1...b.count {
            var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { cost = min(cost, beforeLast[j - 2] + 1) }
            row.append(cost)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
