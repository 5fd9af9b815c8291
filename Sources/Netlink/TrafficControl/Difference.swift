/// A property that is not what it was set to.
package struct Difference: Hashable, Sendable, CustomStringConvertible {
    /// Such as "the limit of the netem queue 2:".
    package let property: String
    package let wanted: String
    package let found: String

    package init(property: String, wanted: String, found: String) {
        (self.property, self.wanted, self.found) = (property, wanted, found)
    }

    package var description: String { "\(property) is \(found), not \(wanted)" }

    /// The difference between two values, if there is one.
    static func between<Value: Equatable>(_ property: String, _ wanted: Value, _ found: Value?) -> [Difference] {
        guard wanted != found else { return [] }
        let found = found.map { "\($0)" } ?? "unknown"
        return [Difference(property: property, wanted: "\(wanted)", found: found)]
    }

    /// The difference between two times in ticks, except the kernel's rounding.
    static func between(_ property: String, ticks wanted: UInt32, _ found: UInt32?) -> [Difference] {
        let tolerance = Int64(wanted) / 1000 + 2
        if let found, abs(Int64(wanted) - Int64(found)) <= tolerance { return [] }
        return between(property, wanted, found)
    }
}
