/// How a piece is cut into slices: in two near its middle, and each half again, until a slice is small enough.
///
/// One slice at a time: a piece may be cut into as many slices as it has bytes.
struct Slices {
    /// What is left of the piece, its first part last.
    private var rest: [Int]
    private let averageSize: Int
    private let variation: Int
    private let roll: (Int) -> Double
    private var rolls = 0

    /// `roll`: a number from 0 to below 1 for each cut.
    init(of bytes: Int, averageSize: Int64, variation: Int64, roll: @escaping (Int) -> Double) {
        rest = bytes > 0 ? [bytes] : []
        self.averageSize = Int(clamping: max(1, averageSize))
        self.variation = Int(clamping: max(0, min(variation, Int64(Int32.max))))
        self.roll = roll
    }

    /// The number of bytes of the next slice; nil where nothing is left.
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
