/// A number over time, reduced to as many points as a chart can show without a visible difference.
struct PointSeries {
    struct Point: Equatable {
        var seconds: Double
        var value: Double
    }

    private(set) var points: [Point] = []

    /// The most points of a series that is shown whole.
    static let mostPoints = 600
    /// The number of periods that a longer series is divided into.
    static let buckets = 150

    mutating func add(_ seconds: Double, _ value: Double) { points.append(Point(seconds: seconds, value: value)) }

    var isThinned: Bool { points.count > Self.mostPoints }

    /// All points, or the first, lowest, highest and last of each period, in order.
    var thinned: [Point] {
        guard isThinned, let start = points.first?.seconds, let end = points.last?.seconds, end > start else {
            return Array(points.prefix(Self.mostPoints))
        }
        let width = (end - start) / Double(Self.buckets)
        var kept: [Point] = []
        var first = 0
        while first < points.count {
            let bucket = Self.bucket(points[first].seconds - start, width)
            var next = first
            var (least, greatest) = (first, first)
            while next < points.count, Self.bucket(points[next].seconds - start, width) <= bucket {
                if points[next].value < points[least].value { least = next }
                if points[next].value > points[greatest].value { greatest = next }
                next += 1
            }
            for index in Set([first, least, greatest, next - 1]).sorted() { kept.append(points[index]) }
            first = next
        }
        return kept
    }

    private static func bucket(_ seconds: Double, _ width: Double) -> Int { Int(min(max(seconds / width, 0), 1e9)) }
}
