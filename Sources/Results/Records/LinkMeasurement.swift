/// One property of the link in one attempt: what was set, and what was measured in that very attempt.
package struct LinkMeasurement: Hashable, Sendable, Codable {
    /// What is measured.
    package enum Property: String, Codable, CaseIterable, Sendable {
        case rate
        /// One-way delay of one direction.
        case delay
        /// Round-trip time, both directions together.
        case rtt
        case loss

        /// The unit of the numbers.
        package var unit: MetricUnit {
            switch self {
            case .rate: .bitsPerSecond
            case .delay, .rtt: .seconds
            case .loss: .ratio
            }
        }
    }

    /// The direction of a link, as its profile calls it.
    package enum Direction: String, Codable, Sendable { case downlink, uplink }

    package var property: Property
    /// The direction; nil for what concerns both.
    package var direction: Direction?
    /// What the profile says; nil where it leaves the property alone.
    package var set: Double?
    /// What was measured; nil where that could not be known, and the result then says unverified.
    package var measured: Double?
    /// How far measured may be from set, as a share of set.
    package var toleranceRatio: Double
    /// How far measured may be from set in any case, in the property's unit.
    package var toleranceFloor: Double
    /// How it was measured, in a few words: `departures at the far end`.
    package var method: String

    package init(
        _ property: Property,
        _ direction: Direction? = nil,
        set: Double?,
        measured: Double?,
        toleranceRatio: Double,
        toleranceFloor: Double = 0,
        method: String
    ) {
        self.property = property
        self.direction = direction
        self.set = set.flatMap { $0.isFinite ? $0 : nil }
        self.measured = measured.flatMap { $0.isFinite ? $0 : nil }
        self.toleranceRatio = toleranceRatio
        self.toleranceFloor = toleranceFloor
        self.method = method
    }

    private enum CodingKeys: String, CodingKey {
        case property, direction, set, measured, method
        case toleranceRatio = "tolerance_ratio"
        case toleranceFloor = "tolerance_floor"
    }
}

extension LinkMeasurement {
    /// Whether measured is as close to set as the tolerances allow; nil where nothing is set or measured.
    package var isWithinTolerance: Bool? {
        guard let set, let measured else { return nil }
        return (measured - set).magnitude <= max(set.magnitude * toleranceRatio, toleranceFloor)
    }

    /// Whether measured is set to the last bit, which no measurement of a rate or a time ever is.
    package var isEcho: Bool { property != .loss && set != 0 && set != nil && measured == set }

    /// Both numbers for people: `downlink rate 780 kbit/s set, 776 kbit/s measured`.
    package var text: String {
        let name = [direction?.rawValue, property.rawValue].compactMap { $0 }.joined(separator: " ")
        func number(_ value: Double?) -> String? { value.map { Quantity($0, property.unit).rounded() } }
        var texts = (number(set) ?? "not", number(measured))
        if let set, let measured, isWithinTolerance == false {
            texts = Quantity.distinct(Quantity(set, property.unit), Quantity(measured, property.unit))
        }
        return "\(name) \(texts.0) set, " + (texts.1.map { "\($0) measured" } ?? "unverified")
    }
}
