/// A place in a series from which on its numbers are others: the rule by which Mozilla's Perfherder raises alerts.
///
/// At each place the numbers before it are compared with those from it on, by a t value in which what is nearer weighs more
/// (linearly). A change is where that is above ``threshold``, no less than at either neighbour, and the mean changes by
/// ``leastShare`` or more. Nothing is said of a place with fewer than ``window`` numbers on either side.
package struct ChangePoint: Hashable, Sendable {
    /// The place of the first number that is different, from 0.
    package let place: Int
    /// The weighted means before it and from it on.
    package let before: Double
    package let after: Double
    /// How many standard errors they are apart; infinite where neither side varies.
    package let t: Double

    package static let threshold = 7.0
    package static let leastShare = 0.02
    package static let window = 12
    /// So many numbers are looked back at most, where nothing changed among them.
    package static let mostBack = 24

    /// By how much the numbers change, as a share of those before; infinite where those are 0.
    package var share: Double {
        guard before != 0 else { return after == 0 ? 0 : .infinity }
        return (after - before) / before.magnitude
    }

    /// The changes in a series of finite numbers, in its order.
    package static func all(in series: [Double]) -> [ChangePoint] {
        var points: [ChangePoint] = []
        // How many places there were since the last one that looked like a change.
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

    /// Compares numbers, of each side the nearest first.
    private init(at place: Int, before: [Double], after: [Double]) {
        let (past, future) = (Weighed(before), Weighed(after))
        self.place = place
        self.before = past.mean
        self.after = future.mean
        let difference = (future.mean - past.mean).magnitude
        let error = (past.variance / Double(before.count) + future.variance / Double(after.count)).squareRoot()
        t = difference == 0 ? 0 : error == 0 ? .infinity : difference / error
    }

    /// The mean of numbers, each of which weighs less than the one before it, and how far they are from it.
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
