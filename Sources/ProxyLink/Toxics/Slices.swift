/// Cuts a piece into slices: in two near its middle, and each half again, until a slice is small enough.
///
/// Slices are computed one at a time, as a piece may have as many slices as bytes.
struct Slices {
    /// The sizes of the parts that are left, in reverse order.
    private var rest: [Int]
    private let averageSize: Int
    private let variation: Int
    private let roll: (Int) -> Double
    private var rolls = 0

    /// `bytes`, `averageSize`, `variation`: in bytes; `roll`: a random number from 0 to below 1 for each cut.
    init(of bytes: Int, averageSize: Int64, variation: Int64, roll: @escaping (Int) -> Double) {
        rest = bytes > 0 ? [bytes] : []
        self.averageSize = Int(clamping: max(1, averageSize))
        self.variation = Int(clamping: max(0, min(variation, Int64(Int32.max))))
        self.roll = roll
    }

    /// The number of bytes of the next slice; nil if nothing is left.
    mutating func next() -> Int? {
        guard var size = rest.popLast() else { return nil }
        while size > 1, size - averageSize > variation {
            rolls += 1
            let shift = Int((roll(rolls) * Double(2 * variation)).rounded(.down)) - variation
            let left = min(max(size / 2 + shift, 1), size - 1)
            rest.append(size - left)
            size = left
        }
        return size
    }
}
