/// A number and a unit, read from text without rounding: `1638.4 kbit/s` is 16384 × 10⁻¹ of `kbit/s`.
struct DecimalText {
    /// The digits without their decimal point.
    let mantissa: Int64
    /// How many of the digits stand behind the decimal point.
    let decimals: Int
    /// What follows the number, without surrounding spaces.
    let unit: String

    private static let mostDigits = 18

    /// Reads a non-negative decimal number followed by an optional unit.
    init(_ text: String, expected: String) throws(UnitError) {
        func failure(_ reason: String) -> UnitError { UnitError(text: text, expected: expected, reason: reason) }
        var mantissa: Int64 = 0
        var digits = 0
        var decimals: Int?
        var rest = Substring(text).drop { $0 == " " }
        if rest.first == "-" { throw failure("it must not be negative") }
        while let character = rest.first {
            if let digit = character.wholeNumberValue, character.isASCII {
                digits += 1
                guard digits <= Self.mostDigits else { throw failure("it has more than \(Self.mostDigits) digits") }
                mantissa = mantissa * 10 + Int64(digit)
                if let seen = decimals { decimals = seen + 1 }
            } else if character == ".", decimals == nil {
                decimals = 0
            } else {
                break
            }
            rest = rest.dropFirst()
        }
        guard digits > 0 else { throw failure("it does not start with a number") }
        if decimals == 0 { throw failure("a digit must follow the decimal point") }
        self.mantissa = mantissa
        self.decimals = decimals ?? 0
        var unit = rest.drop { $0 == " " }
        while unit.last == " " { unit = unit.dropLast() }
        self.unit = String(unit)
    }

    /// The number times `scale`; nil if that is no whole number that fits into 63 bits.
    func scaled(by scale: Int64) -> Int64? {
        let product = Int128(mantissa) * Int128(scale)
        let (whole, rest) = product.quotientAndRemainder(dividingBy: Int128(Self.powerOfTen(decimals)))
        return rest == 0 ? Int64(exactly: whole) : nil
    }

    /// `value` in units of `scale` as the shortest decimal text; nil if `decimals` decimals are not enough to say it
    /// exactly.
    static func text(_ value: Int64, scale: Int64, decimals: Int) -> String? {
        let factor = powerOfTen(decimals)
        let (scaled, rest) = (Int128(value) * Int128(factor)).quotientAndRemainder(dividingBy: Int128(scale))
        guard rest == 0 else { return nil }
        let (whole, fraction) = scaled.quotientAndRemainder(dividingBy: Int128(factor))
        guard fraction != 0 else { return "\(whole)" }
        var tail = String(fraction)
        tail = String(repeating: "0", count: decimals - tail.count) + tail
        while tail.last == "0" { tail.removeLast() }
        return "\(whole).\(tail)"
    }

    private static func powerOfTen(_ exponent: Int) -> Int64 {
        (0..<exponent).reduce(Int64(1)) { power, _ in power * 10 }
    }
}
