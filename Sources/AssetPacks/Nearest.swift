/// The word that was probably meant.
enum Nearest {
    /// The candidate with the fewest letters to change; nil where that is more than half of them.
    static func text(to word: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { (name: $0, changes: changes(from: word.lowercased(), to: $0.lowercased())) }
        guard let best = ranked.min(by: { $0.changes < $1.changes }) else { return nil }
        return best.changes <= max(1, best.name.count / 2) ? best.name : nil
    }

    /// Letters to insert, remove or replace (Levenshtein, 1965).
    private static func changes(from one: String, to other: String) -> Int {
        let letters = Array(other)
        var row = Array(0...letters.count)
        for (index, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in letters.indices {
                let replaced = diagonal + (letters[column] == letter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[letters.count]
    }
}
