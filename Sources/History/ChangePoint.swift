/// A place where the numbers of a series change, by the rule that raises alerts in Mozilla's Perfherder.
///
/// At each place, a t value compares the numbers before it with those from it on; nearer numbers weigh more (linearly).
/// A change is a place with a t value above ``threshold`` and not below that of either neighbour, where the mean
/// changes by ``leastShare`` or more. A place with fewer than ``window`` numbers on either side is never a change.
package struct ChangePoint: Hashable, Sendable {
    /// The index of the first different number, from 0.
    package let place: Int
    /// The weighted mean before the place.
    package let before: Double
    /// The weighted mean from the place on.
    package let after: Double
    /// The difference of the means in standard errors; infinite if neither side varies.
    package let t: Double

    package static let threshold = 7.0
    package static let leastShare = 0.02
    package static let window = 12
    /// The most numbers before a place that are compared, if nothing changed among them.
    package static let mostBack = 24

    /// The change as a share of the mean before; infinite if that is 0.
    package var share: Double {
        guard before != 0 else { return after == 0 ? 0 : .infinity }
        return (after - before) / before.magnitude
    }

    /// The changes in a series of finite numbers, in its order.
    package static func all(in series: [Double]) -> [ChangePoint] {
        var points: [ChangePoint] = []
        // The number of places since the last one that looked like a change.
        var calm = 0
        for place in series.indices.dropFirst() {
            let back = min(place, min(max(calm, window), mostBack))
            let fore = min(series.count - place, window)
            let point = ChangePoint(
                at: place, before: series[(place - back)..<place].reversed(),
                after: Array(series[place..<(place + fore)]))
            points.append(point)
            calm = point.t > threshold ? 0 : calm + 1
        }
        return points.indices.compactMap { index in
            let point = points[index]
            let isKnown = point.place >= window && series.count - point.place >= window
            let neighbours = [index - 1, index + 1].filter(points.indices.contains)
            let isPeak = neighbours.allSatisfy { points[$0].t <= point.t }
            return isKnown && isPeak && point.t > threshold && point.share.magnitude >= leastShare ? point : nil
        }
    }

    /// Compares two lists of numbers; in each the nearest to the place comes first.
    private init(at place: Int, before: [Double], after: [Double]) {
        let (past, future) = (Weighed(before), Weighed(after))
        self.place = place
        self.before = past.mean
        self.after = future.mean
        let difference = (future.mean - past.mean).magnitude
        let error = (past.variance / Double(before.count) + future.variance / Double(after.count)).squareRoot()
        t = difference == 0 ? 0 : error == 0 ? .infinity : difference / error
    }

    /// The mean of numbers with linearly falling weights, and their variance around it.
    private struct Weighed {
        let mean: Double
        let variance: Double

        init(_ numbers: [Double]) {
            let weights = numbers.indices.map { Double(numbers.count - $0) }
            let mean = zip(numbers, weights).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
            let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            self.mean = mean
            variance = numbers.count > 1 ? squares / Double(numbers.count - 1) : 0
        }
    }
}
