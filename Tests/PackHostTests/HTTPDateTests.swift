import Testing

@testable import PackHost

/// Dates of RFC 9110 §5.6.7.
@Suite("HTTP dates")
struct HTTPDateTests {
    @Test(
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_164_799, "Wed, 28 Feb 2024 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func writesAndReads(seconds: Int64, text: String) {
        let date = HTTPDate(secondsSinceEpoch: seconds)
        #expect(date.text == text)
        #expect(HTTPDate(parsing: text) == date)
    }

    /// Every 13th day of 400 years reads back; 13 is a prime, so all dates of a year occur.
    @Test func everyDayReadsBack() {
        for day in stride(from: 0, to: 146_097, by: 13) as StrideTo<Int64> {
            let date = HTTPDate(secondsSinceEpoch: day * 86_400 + day % 86_400)
            #expect(HTTPDate(parsing: date.text) == date)
        }
    }

    @Test func clampsTimesBeyondTheRange() {
        #expect(HTTPDate(secondsSinceEpoch: -5).text == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate(secondsSinceEpoch: .max).text == "Fri, 31 Dec 9999 23:59:59 GMT")
    }

    @Test func takesTwoDigitYearsAsRecent() {
        let now = HTTPDate(secondsSinceEpoch: 1_795_219_200)  // 2026
        #expect(HTTPDate(parsing: "Sunday, 06-Nov-94 08:49:37 GMT", now: now)?.secondsSinceEpoch == 784_111_777)
        #expect(HTTPDate(parsing: "Friday, 06-Nov-26 00:00:00 GMT", now: now)?.text == "Fri, 06 Nov 2026 00:00:00 GMT")
    }

    @Test(arguments: [
        "", "now", "06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 1969 08:49:37 GMT",
        "Sun, 06 Nov 9223372036854775807 08:49:37 GMT", "Sun, 9223372036854775807 Nov 1994 08:49:37 GMT",
    ])
    func refusesWhatIsNoDate(text: String) {
        #expect(HTTPDate(parsing: text) == nil)
    }
}
