/// A share of a whole, from 0 % to 100 %, exact to a billionth: `1 %`, `0.05 %`.
package struct Ratio: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The share in billionths, 0 to 1,000,000,000.
    package let partsPerBillion: Int64

    package static let zero = Ratio(partsPerBillion: 0)
    package static let one = Ratio(partsPerBillion: whole)

    package init(partsPerBillion: Int64) {
        precondition((0...Self.whole).contains(partsPerBillion), "a ratio is 0 to 100 %: \(partsPerBillion) ppb")
        self.partsPerBillion = partsPerBillion
    }

    /// Reads a percentage; a bare number is an error, because 1 might be a hundredth or the whole.
    package init(parsing text: String) throws(UnitError) {
        let expected = "a share such as 1 %"
        let number = try DecimalText(text, expected: expected)
        func failure(_ reason: String) -> UnitError { UnitError(text: text, expected: expected, reason: reason) }
        guard number.unit == "%" else {
            throw failure(number.unit.isEmpty ? "it has no unit; write \(text) %" : "write it in percent: 1 %")
        }
        guard let parts = number.scaled(by: Self.whole / 100) else { throw failure("it is finer than 0.0000001 %") }
        guard parts <= Self.whole else { throw failure("the most is 100 %") }
        self.partsPerBillion = parts
    }

    /// The share as a fraction of 1.
    package var fraction: Double { Double(partsPerBillion) / Double(Self.whole) }

    /// The shortest text that reads back as this value.
    package var text: String {
        let percent = DecimalText.text(partsPerBillion, scale: Self.whole / 100, decimals: 7)
        return "\(percent ?? "0") %"
    }

    package var description: String { text }

    package static func < (left: Self, right: Self) -> Bool { left.partsPerBillion < right.partsPerBillion }

    /// The units that a text may have.
    package static let unitNames = ["%"]

    private static let whole: Int64 = 1_000_000_000
}
