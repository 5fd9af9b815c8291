import Glibc

extension DER {
    /// A moment as certificates state it: two digits of the year up to 2049, four from 2050 on; RFC 5280 §4.1.2.5.
    static func time(secondsSinceEpoch: Int64) -> [UInt8] {
        var moment = time_t(secondsSinceEpoch)
        var parts = unsafe tm()
        unsafe gmtime_r(&moment, &parts)
        let year = Int(unsafe parts.tm_year) + 1900
        let fields = unsafe [parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec]
        let rest = fields.map { digits(Int($0), 2) }
        let text = digits(year < 2050 ? year % 100 : year, year < 2050 ? 2 : 4) + rest.joined() + "Z"
        return element(year < 2050 ? 0x17 : 0x18, Array(text.utf8))
    }

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }
}
