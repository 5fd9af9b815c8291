import Wording

/// What a metric's numbers count.
///
/// Every number in this module is held in its base unit: seconds, bytes, bits per second, a count, a ratio (1 is all).
package enum MetricUnit: String, CaseIterable, Codable, Sendable {
    case seconds
    case bytes
    case bitsPerSecond = "bits_per_second"
    case count
    case ratio
    /// Yes or no: 1 holds, 0 does not.
    case truth
}

extension MetricUnit {
    /// One way of writing a unit: the symbol, and its size in base units.
    ///
    /// A unit below the base divides and one above it multiplies, so that `300 ms` is the double nearest to 0.3.
    struct Symbol: Sendable {
        let text: String
        let multiplier: Double
        let divisor: Double

        init(_ text: String, times multiplier: Double = 1, over divisor: Double = 1) {
            self.text = text
            self.multiplier = multiplier
            self.divisor = divisor
        }

        func base(_ number: Double) -> Double { number * multiplier / divisor }
        func scaled(_ base: Double) -> Double { base * divisor / multiplier }
    }

    /// The symbols that may follow a number, the base unit's first if it has one; empty if a number stands alone.
    var symbols: [Symbol] {
        switch self {
        case .seconds: Self.timeSymbols
        case .bytes: Self.byteSymbols
        case .bitsPerSecond: Self.rateSymbols
        case .ratio: [Symbol("%", over: 100)]
        case .count, .truth: []
        }
    }

    /// A regular expression (ECMA-262) of a number in this unit; 0 needs no symbol.
    var valuePattern: String {
        let number = "[0-9]+(\\.[0-9]+)?"
        guard !symbols.isEmpty else { return number }
        return "(\(number)\\s*(\(symbols.map(\.text).joined(separator: "|")))|0+(\\.0+)?)"
    }

    /// The symbol of the base unit as a person reads it: `s`, `B`, `bit/s`, or nothing.
    package var baseSymbol: String { self == .ratio ? "" : symbols.first?.text ?? "" }

    /// The symbol that a foreign one probably means: `kbps` is `kbit/s`, `sec` is `s`; nil if there is none.
    func symbolMeant(by word: String) -> String? {
        let known = Self.foreignSymbols[word] ?? Self.foreignSymbols[word.lowercased()]
        let names = symbols.map(\.text)
        if let known, names.contains(known) { return known }
        if let same = names.first(where: { $0.lowercased() == word.lowercased() }) { return same }
        // One letter makes a short symbol another unit: 'MB' is not meant to be 'ms'.
        return word.count > 2 ? NearestName.of(word, in: names) : nil
    }

    private static let timeSymbols = [
        Symbol("s"), Symbol("ms", over: 1e3), Symbol("us", over: 1e6), Symbol("µs", over: 1e6), Symbol("ns", over: 1e9),
        Symbol("min", times: 60), Symbol("h", times: 3600),
    ]

    private static let byteSymbols = [
        Symbol("B"), Symbol("kB", times: 1e3), Symbol("MB", times: 1e6), Symbol("GB", times: 1e9),
        Symbol("TB", times: 1e12), Symbol("KiB", times: 1024), Symbol("MiB", times: 1_048_576),
        Symbol("GiB", times: 1_073_741_824), Symbol("TiB", times: 1_099_511_627_776),
    ]

    private static let rateSymbols = [
        Symbol("bit/s"), Symbol("kbit/s", times: 1e3), Symbol("Mbit/s", times: 1e6), Symbol("Gbit/s", times: 1e9),
    ]

    private static let foreignSymbols = [
        "sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "millis": "ms", "milliseconds": "ms",
        "m": "min", "mins": "min", "minute": "min", "minutes": "min", "hour": "h", "hours": "h", "usec": "us",
        "byte": "B", "bytes": "B", "k": "kB", "kb": "kB", "mb": "MB", "gb": "GB", "tb": "TB",
        "bps": "bit/s", "kbps": "kbit/s", "mbps": "Mbit/s", "gbps": "Gbit/s", "kbit": "kbit/s", "mbit": "Mbit/s",
        "gbit": "Gbit/s", "percent": "%",
    ]
}
