/// A range of requests for a resource, counted from 1: `2`, `2-4`, or `2-` for the second and each later one.
extension ClosedRange<Int> {
    /// Reads such a range; nil if the text is not one, or if the range ends before it begins.
    package init?(tries text: some StringProtocol) {
        func number(_ digits: some StringProtocol) -> Int? {
            digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits).flatMap { $0 >= 1 ? $0 : nil } : nil
        }
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = ends.first.flatMap(number) else { return nil }
        guard ends.count == 2 else {
            self = first...first
            return
        }
        guard let last = ends[1].isEmpty ? Int.max : number(ends[1]), first <= last else { return nil }
        self = first...last
    }

    /// The range as ``init(tries:)`` reads it.
    package var triesText: String {
        if upperBound == .max { return "\(lowerBound)-" }
        return lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)-\(upperBound)"
    }
}
