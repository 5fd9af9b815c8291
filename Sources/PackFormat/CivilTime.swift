import Glibc

/// A date and a time of day in UTC.
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
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        self.init(seconds: rest < 0 ? seconds - 1 : seconds, nanosecond: rest < 0 ? rest + 1_000_000_000 : rest)
    }

    /// The moment that is `seconds` after the start of 1970, or before it if negative, and `nanosecond` later.
    package init(seconds: Int64, nanosecond: Int64 = 0) {
        var time = time_t(seconds)
        var parts = unsafe tm()
        unsafe gmtime_r(&time, &parts)
        (year, month, day) = unsafe (Int64(parts.tm_year) + 1900, Int64(parts.tm_mon) + 1, Int64(parts.tm_mday))
        (hour, minute, second) = unsafe (Int64(parts.tm_hour), Int64(parts.tm_min), Int64(parts.tm_sec))
        self.nanosecond = nanosecond
    }

    /// ISO 8601 with milliseconds, such as `2022-01-13T08:57:30.000Z`: the form of Xcode's content hashes.
    package var text: String {
        let date = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
        let time = "\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))"
        return "\(date)T\(time).\(Self.padded(nanosecond / 1_000_000, 3))Z"
    }

    /// A number in digits, with zeros in front of it up to a width.
    package static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
