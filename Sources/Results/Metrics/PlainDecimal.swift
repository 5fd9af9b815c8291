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
