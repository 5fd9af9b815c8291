/// A date and a time of day in UTC (Hinnant, "chrono-compatible low-level date algorithms").
package struct CivilTime: Hashable, Sendable {
    package let year: Int64
    package let month: Int64
    package let day: Int64
    package let hour: Int64
    package let minute: Int64
    package let second: Int64
    package let nanosecond: Int64

    /// The moment that is `nanoseconds` after the start of 1970, or before it if negative.
    package init(nanoseconds: Int64) {
        let (seconds, fraction) = Self.divided(nanoseconds, by: 1_000_000_000)
        let (days, rest) = Self.divided(seconds, by: 86_400)
        // Days count from the first of March of year 0, so that a leap day is a year's last.
        let (era, dayOfEra) = Self.divided(days + 719_468, by: 146_097)
        let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
        nanosecond = fraction
    }

    /// ISO 8601 with milliseconds, such as `2022-01-13T08:57:30.000Z`: the form of Xcode's content hashes.
    package var text: String {
        let date = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
        let time = "\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))"
        return "\(date)T\(time).\(Self.padded(nanosecond / 1_000_000, 3))Z"
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Quotient and remainder, the remainder never negative.
    private static func divided(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
