/// One property of the link in one attempt: the set value, and the value measured in the same attempt.
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
    package enum Direction: String, CaseIterable, Codable, Sendable { case downlink, uplink }

    package var property: Property
    /// The direction; nil for a property of both.
    package var direction: Direction?
    /// The profile's value, in the property's unit; nil if it leaves the property alone.
    package var set: Double?
    /// The measured value, in the property's unit; nil if it is unknown, and then the result says unverified.
    package var measured: Double?
    /// How far ``measured`` may be from ``set``, as a share of ``set``.
    package var toleranceRatio: Double
    /// How far ``measured`` may be from ``set`` in any case, in the property's unit (default: 0).
    package var toleranceFloor: Double
    /// How it was measured, in a few words: `departures at the far end`.
    package var method: String

    private enum CodingKeys: String, SnakeCaseKey {
        case property, direction, set, measured, unit, method, toleranceRatio, toleranceFloor
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(property, forKey: .property)
        try container.encodeIfPresent(direction, forKey: .direction)
        // An unknown value is written as null, so that readers see it.
        try container.encode(set, forKey: .set)
        try container.encode(measured, forKey: .measured)
        try container.encode(property.unit, forKey: .unit)
        try container.encode(toleranceRatio, forKey: .toleranceRatio)
        try container.encode(toleranceFloor, forKey: .toleranceFloor)
        try container.encode(method, forKey: .method)
    }
}

extension LinkMeasurement {
    /// A property as it was set and measured; a number that is not finite is unknown.
    package init(
        _ property: Property,
        _ direction: Direction? = nil,
        set: Double?,
        measured: Double?,
        toleranceRatio: Double,
        toleranceFloor: Double = 0,
        method: String
    ) {
        self.init(
            property: property, direction: direction, set: set?.finite, measured: measured?.finite,
            toleranceRatio: toleranceRatio, toleranceFloor: toleranceFloor, method: method)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // The unit follows from the property; it is read so that the schema lists its key.
        _ = try container.decodeIfPresent(MetricUnit.self, forKey: .unit)
        self.init(
            try container.decode(Property.self, forKey: .property),
            try container.decodeIfPresent(Direction.self, forKey: .direction),
            set: try container.decodeIfPresent(Double.self, forKey: .set),
            measured: try container.decodeIfPresent(Double.self, forKey: .measured),
            toleranceRatio: try container.decode(Double.self, forKey: .toleranceRatio),
            toleranceFloor: try container.decode(Double.self, forKey: .toleranceFloor),
            method: try container.decode(String.self, forKey: .method))
    }

    /// Whether ``measured`` is as close to ``set`` as the tolerances allow; nil if one of them is nil.
    package var isWithinTolerance: Bool? {
        guard let set, let measured else { return nil }
        return (measured - set).magnitude <= max(set.magnitude * toleranceRatio, toleranceFloor)
    }

    /// Whether ``measured`` equals ``set`` to the last bit, which no real measurement of a rate or a time does.
    package var isEcho: Bool { property != .loss && set != 0 && set != nil && measured == set }

    /// Why the value could not be measured; nil if it was, or if the reason is unknown.
    package var whyUnverified: String? {
        let prefix = "unverified: "
        return measured == nil && method.hasPrefix(prefix) ? String(method.dropFirst(prefix.count)) : nil
    }

    /// The direction and the property: `downlink rate`, or `rtt`.
    package var name: String { [direction?.rawValue, property.rawValue].compactMap(\.self).joined(separator: " ") }

    /// Both numbers for people: `downlink rate 780 kbit/s set, 776 kbit/s measured (±2 %)`.
    package var text: String {
        func number(_ value: Double?) -> String? { value.map { Quantity($0, property.unit).rounded() } }
        var texts = (set: number(set) ?? "not", measured: number(measured))
        if let set, let measured, isWithinTolerance == false {
            let pair = Quantity.pair(Quantity(measured, property.unit), limit: Quantity(set, property.unit))
            texts = (pair.limit, pair.number)
        }
        guard set != nil || measured != nil else { return "\(name) not set" }
        return "\(name) \(texts.set) set, " + (texts.measured.map { "\($0) measured\(toleranceText)" } ?? "unverified")
    }

    private var toleranceText: String {
        var texts = [Quantity(toleranceRatio, .ratio), Quantity(toleranceFloor, property.unit)]
            .filter { $0.value > 0 }.map { "±" + $0.rounded() }
        // A percentage of a loss would be read as a share of the set value.
        if property == .loss { texts = texts.map { $0.replacing("%", with: "points") } }
        return set == nil || texts.isEmpty ? "" : " (\(texts.joined(separator: " or ")))"
    }
}
