import Glibc
import PackFormat

/// A moment as HTTP writes it: whole seconds in GMT, RFC 9110 §5.6.7.
///
/// Moments outside of the years 1970 to 9999 become the nearest one inside, because files may have any modification
/// time.
struct HTTPDate: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01 00:00:00 UTC, without leap seconds, as time(2) counts them.
    let secondsSinceEpoch: Int64

    init(secondsSinceEpoch: Int64) {
        self.secondsSinceEpoch = min(max(secondsSinceEpoch, 0), Self.last)
    }

    /// The current moment, by CLOCK_REALTIME.
    static func now() -> HTTPDate {
        HTTPDate(secondsSinceEpoch: Int64(time(nil)))
    }

    static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.secondsSinceEpoch < right.secondsSinceEpoch
    }

    /// 9999-12-31 23:59:59.
    private static let last: Int64 = 253_402_300_799
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`.
    var text: String {
        let date = CivilTime(seconds: secondsSinceEpoch)
        let (day, month, year) = (CivilTime.padded(date.day, 2), Self.months[Int(date.month) - 1], date.year)
        let weekday = Self.weekdays[Int((secondsSinceEpoch / 86_400 + 4) % 7)]
        let clock = [date.hour, date.minute, date.second].map { CivilTime.padded($0, 2) }
        return "\(weekday), \(day) \(month) \(year) \(clock.joined(separator: ":")) GMT"
    }

    /// Reads the preferred form and the two obsolete ones that a recipient must accept; nil for anything else.
    ///
    /// `now` resolves the two-digit years of RFC 850: more than 50 years ahead means the previous century.
    init?(parsing text: String, now: HTTPDate = .now()) {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "-" })
        let fields: (day: Substring, month: Substring, year: Substring, clock: Substring)
        switch words.count {
        case 6 where words[5] == "GMT": fields = (words[1], words[2], words[3], words[4])  // IMF-fixdate, RFC 850
        case 5: fields = (words[2], words[1], words[4], words[3])  // asctime
        default: return nil
        }
        guard let day = Int64(fields.day), let month = Self.months.firstIndex(of: String(fields.month)),
            var year = Int64(fields.year), let second = Self.second(ofDay: fields.clock)
        else { return nil }
        if fields.year.count == 2 {
            let thisYear = CivilTime(seconds: now.secondsSinceEpoch).year
            year += thisYear / 100 * 100
            if year > thisYear + 50 { year -= 100 }
        }
        guard (1970...9999).contains(year), (1...31).contains(day) else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month), Int32(day))
        let midnight = Int64(timegm(&parts))
        // A day that the month does not have has become one of the next month.
        guard parts.tm_mon == Int32(month), parts.tm_mday == Int32(day) else { return nil }
        self.init(secondsSinceEpoch: midnight + second)
    }

    private static func second(ofDay clock: Substring) -> Int64? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        let numbers = parts.compactMap { Int64($0) }
        guard numbers.count == 3, zip(numbers, [23, 59, 60]).allSatisfy({ (0...$1).contains($0) }) else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + min(numbers[2], 59)
    }
}
