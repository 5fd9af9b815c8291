/// A number with its unit, in base units.
package struct Quantity: Hashable, Sendable {
    package var value: Double
    package var unit: MetricUnit

    package init(_ value: Double, _ unit: MetricUnit) {
        self.value = value
        self.unit = unit
    }
}

extension Quantity: CustomStringConvertible {
    /// Text that a budget's parser reads back as exactly this quantity: `1.5 s`, `64 KiB`, `780 kbit/s`, `2%`, `3`.
    ///
    /// It is the exact spelling with the fewest digits whose number is at least 1; if there is none, that in the base
    /// unit.
    package var description: String {
        let symbols = unit.symbols.filter { !Self.readOnlySymbols.contains($0.text) }
        let exact = symbols.flatMap { symbol in
            Self.neighbours(of: symbol.scaled(value))
                .filter { symbol.base($0) == value }
                .map { (text: $0.plainDecimal, number: $0, symbol: symbol.text) }
        }
        let whole = exact.filter { $0.number >= 1 }.min { ($0.text.count, $0.number) < ($1.text.count, $1.number) }
        let base = exact.filter { $0.symbol == unit.baseSymbol || $0.symbol == "%" }.min {
            $0.text.count < $1.text.count
        }
        if let best = whole ?? base { return best.text + (best.symbol == "%" ? "" : " ") + best.symbol }
        // Only a ratio that no percentage expresses exactly gets here.
        return unit == .ratio ? (value * 100).plainDecimal + "%" : value.plainDecimal
    }

    /// A number and its two neighbours, because scaling back and forth may miss by one.
    private static func neighbours(of number: Double) -> [Double] { [number.nextDown, number, number.nextUp] }

    private static let readOnlySymbols: Set = ["µs", "min", "h"]
}

extension Quantity {
    /// Text for people, rounded to significant digits (default: 3): `41.2 s`, `16 ms`, `65.5 kB`, `776 kbit/s`,
    /// `1.8 %`, `3`.
    ///
    /// A number of at least 1 in its unit keeps all digits before the point. Never parse this; see `description`.
    package func rounded(digits: Int = 3) -> String { rounded(digits: digits, in: symbolForPeople(digits: digits)) }

    /// A number and its limit for people, in one unit, with as many digits as are needed to distinguish them.
    ///
    /// The unit is the one that suits the limit: `64.001 KiB` and `64 KiB`, `3000 ms` and `900 ms`.
    package static func pair(_ number: Quantity, limit: Quantity) -> (number: String, limit: String) {
        let symbol = limit.writtenSymbol ?? limit.symbolForPeople(digits: 3)
        for digits in 3...17 {
            let texts = (number.rounded(digits: digits, in: symbol), limit.rounded(digits: digits, in: symbol))
            if texts.0 != texts.1 || number.value == limit.value { return texts }
        }
        return (number.value.description, limit.value.description)
    }

    /// Whether it was written in units of 1,024 bytes, such as `64 KiB`.
    package var isWrittenInBinaryUnits: Bool { writtenSymbol?.text.hasSuffix("iB") ?? false }

    /// The symbol in which it was probably written; nil for a number that was computed.
    private var writtenSymbol: MetricUnit.Symbol? {
        let text = description
        let symbol = unit.symbols.first { text.hasSuffix(" " + $0.text) }
        // A computed number is whole only in a small unit, and has many digits.
        let isWritten = text.count <= 10 && (symbol?.scaled(value.magnitude) ?? 0) < 10_000
        return isWritten ? symbol : nil
    }

    private func rounded(digits: Int, in symbol: MetricUnit.Symbol?) -> String {
        switch unit {
        case .truth: return value == 1 ? "yes" : "no"
        case .count: return value.roundedText(digits: max(digits, 6))
        case .ratio: return (value * 100).roundedText(digits: digits) + " %"
        case .seconds, .bytes, .bitsPerSecond: break
        }
        guard let symbol, value.isFinite else { return value.roundedText(digits: digits) + " " + unit.baseSymbol }
        return symbol.scaled(value).roundedText(digits: digits) + " " + symbol.text
    }

    /// The largest symbol in which the rounded number is at least 1; nil for the base unit.
    private func symbolForPeople(digits: Int) -> MetricUnit.Symbol? {
        let size = value.magnitude
        guard size > 0, size.isFinite else { return nil }
        let symbols = unit.symbols.filter { Self.peopleSymbols.contains($0.text) }
        let fitting = symbols.filter { $0.scaled(size).roundedValue(digits: digits) >= 1 }
        return fitting.min { $0.scaled(size) < $1.scaled(size) }
    }

    private static let peopleSymbols: Set = [
        "s", "ms", "us", "ns", "B", "kB", "MB", "GB", "TB", "bit/s", "kbit/s", "Mbit/s", "Gbit/s",
    ]
}

extension Double {
    /// This number rounded to this many significant digits, but never coarser than 1.
    fileprivate func roundedValue(digits: Int) -> Double {
        guard isFinite, self != 0 else { return self }
        let least = (1..<digits).reduce(1.0) { product, _ in product * 10 }
        var scale = 1.0
        while magnitude * scale < least, scale < 1e18 { scale *= 10 }
        return (self * scale).rounded() / scale
    }

    /// The same as a plain decimal.
    func roundedText(digits: Int) -> String { roundedValue(digits: digits).plainDecimal }
}

extension Double {
    /// The shortest decimal text that reads back as this number, without an exponent: `0.00001`, `1200`.
    var plainDecimal: String {
        let text = description
        let parts = text.split(separator: "e", maxSplits: 1)
        guard parts.count == 2, let exponent = Int(parts[1]) else {
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        let sign = self < 0 ? "-" : ""
        let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
        let whole = mantissa[0]
        let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
        let digits = String(whole + fraction)
        let point = whole.count + exponent
        if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
        if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
        return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }
}
