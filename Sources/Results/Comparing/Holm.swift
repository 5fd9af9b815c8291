/// The adjustment of Holm (1979) for several tests at once.
package enum Holm {
    /// The probabilities, adjusted, in the order in which they were given: to reject every test whose adjusted probability is
    /// at most α is to reject any that is true with at most the probability α.
    ///
    /// The smallest of m is multiplied by m, the next one by m - 1, and so on; none becomes smaller than one before it, or
    /// larger than 1.
    package static func adjusted(_ probabilities: [Double]) -> [Double] {
        var adjusted = probabilities
        var least = 0.0
        for (place, index) in probabilities.indices.sorted(by: { probabilities[$0] < probabilities[$1] }).enumerated() {
            least = min(1, max(least, probabilities[index] * Double(probabilities.count - place)))
            adjusted[index] = least
        }
        return adjusted
    }
}
