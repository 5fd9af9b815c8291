/// How often a cell is run.
package struct Attempts: Hashable, Sendable {
    /// So often at least.
    package let min: Int
    /// So often at most, where what was measured does not suffice for a verdict.
    package let max: Int

    /// What a single number asks for: so many that count, and up to three times as many where they do not suffice.
    package init(_ count: Int) {
        self.init(min: count, max: 3 * count)
    }

    package init(min: Int, max: Int) {
        precondition(1 <= min && min <= max, "attempts are counted upwards from 1: \(min) to \(max)")
        self.min = min
        self.max = max
    }
}
