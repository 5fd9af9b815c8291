extension Duration {
    /// Reads a duration with its unit: `100 ms`, `1.5 s`, `10 min`, `2 h`, `250 us`.
    package init(parsing text: String) throws(UnitError) {
        let expected = "a duration such as 100 ms or 1.5 s"
        let number = try DecimalText(text, expected: expected)
        func failure(_ reason: String) -> UnitError { UnitError(text: text, expected: expected, reason: reason) }
        if number.unit.isEmpty { throw failure("it has no unit; write \(text) ms or \(text) s") }
        guard let scale = Self.scales.first(where: { $0.name == number.unit || $0.alias == number.unit }) else {
            throw failure("'\(number.unit)' is not a unit of time; write ns, us, ms, s, min or h")
        }
        guard let nanoseconds = number.scaled(by: scale.nanoseconds) else {
            throw failure("it is finer than a nanosecond or longer than 292 years")
        }
        self = .nanoseconds(nanoseconds)
    }

    /// Reads a duration that may be negative: `-1 h`.
    package init(parsingSigned text: String) throws(UnitError) {
        self =
            text.hasPrefix("-")
            ? .zero - (try Duration(parsing: String(text.dropFirst()))) : try Duration(parsing: text)
    }

    /// ``text`` as one word, for command lines and notations: `5s`.
    package var word: String { text.filter { $0 != " " } }

    /// The shortest text that reads back as this value, to the nanosecond.
    package var text: String {
        let value = nanoseconds
        if value < 0 { return "-" + Duration.nanoseconds(value == .min ? .max : -value).text }
        for scale in Self.scales where value >= scale.nanoseconds {
            let decimals = scale.nanoseconds > 1_000_000_000 ? 0 : 3
            if let number = DecimalText.text(value, scale: scale.nanoseconds, decimals: decimals) {
                return "\(number) \(scale.name)"
            }
        }
        return value == 0 ? "0 s" : "\(value) ns"
    }

    /// The duration in whole nanoseconds, rounded towards zero; a duration of more than 292 years counts as 292.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return Int64(clamping: Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000))
    }

    /// The duration in seconds.
    package var seconds: Double { Double(nanoseconds) / 1e9 }

    /// The units that a text may have.
    package static let unitNames = scales.flatMap { [$0.name, $0.alias] }

    private static let scales: [(name: String, alias: String, nanoseconds: Int64)] = [
        ("h", "hours", 3_600_000_000_000), ("min", "minutes", 60_000_000_000), ("s", "sec", 1_000_000_000),
        ("ms", "msec", 1_000_000), ("us", "µs", 1000), ("ns", "nsec", 1),
    ]
}
