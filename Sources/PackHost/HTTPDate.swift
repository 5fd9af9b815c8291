import Glibc

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
}

extension HTTPDate {
    /// The preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`.
    var text: String {
        let (days, second) = secondsSinceEpoch.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = Self.civil(days: days)
        let weekday = Self.weekdays[Int((days + 4) % 7)]
        let clock = [second / 3600, second / 60 % 60, second % 60].map { Self.padded($0, to: 2) }
        return "\(weekday), \(Self.padded(day, to: 2)) \(Self.months[Int(month) - 1]) \(Self.padded(year, to: 4)) "
            + clock.joined(separator: ":") + " GMT"
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
            let thisYear = Self.civil(days: now.secondsSinceEpoch / 86_400).year
            year += thisYear / 100 * 100
            if year > thisYear + 50 { year -= 100 }
        }
        guard (1970...9999).contains(year), (1...31).contains(day) else { return nil }
        let days = Self.days(year: year, month: Int64(month) + 1, day: day)
        guard Self.civil(days: days) == (year, Int64(month) + 1, day) else { return nil }
        self.init(secondsSinceEpoch: days * 86_400 + second)
    }

    private static func second(ofDay clock: Substring) -> Int64? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        let numbers = parts.compactMap { Int64($0) }
        guard numbers.count == 3, zip(numbers, [23, 59, 60]).allSatisfy({ (0...$1).contains($0) }) else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + min(numbers[2], 59)
    }

    private static func padded(_ number: Int64, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Days since 1970-01-01 in the Gregorian calendar.
    ///
    /// Years begin in March here, so that the leap day is the last day.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }

    /// The inverse of ``days(year:month:day:)``, for days from 1970-01-01 on.
    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}
