import LinkModel
import Testing

@Suite struct UnitTests {
    @Test(arguments: [
        ("64 MiB", 67_108_864, "64 MiB"), ("2 GB", 2_000_000_000, "2 GB"), ("1.5 MB", 1_500_000, "1.5 MB"),
        ("512B", 512, "512 B"), ("0 B", 0, "0 B"), ("1024 B", 1024, "1 KiB"), ("1001 B", 1001, "1.001 kB"),
        ("2 GiB", 2_147_483_648, "2 GiB"), ("123456789 B", 123_456_789, "123456.789 kB"),
    ])
    func `sizes read and print`(text: String, bytes: Int64, printed: String) throws {
        let size = try ByteCount(parsing: text)
        #expect(size.bytes == bytes)
        #expect(size.text == printed)
        #expect(try ByteCount(parsing: size.text) == size)
    }

    @Test(arguments: [
        ("64", "no unit"), ("64 MBit", "not a unit"), ("64 Mbit/s", "rate"), ("-1 B", "negative"), ("", "number"),
        ("0.5 B", "whole number"), ("1. MB", "decimal point"), ("1e3 B", "not a unit"), ("9999999 TB", "63 bits"),
        ("1234567890123456789 B", "digits"), ("1 KB", "not a unit"),
    ])
    func `bad sizes are refused with the reason`(text: String, reason: String) {
        let error = #expect(throws: UnitError.self) { try ByteCount(parsing: text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("780 kbit/s", 780_000, "780 kbit/s"), ("50 Mbit/s", 50_000_000, "50 Mbit/s"),
        ("1638.4 kbit/s", 1_638_400, "1.6384 Mbit/s"), ("1 Gbps", 1_000_000_000, "1 Gbit/s"), ("9 bit/s", 9, "9 bit/s"),
        ("14.4 kbps", 14_400, "14.4 kbit/s"),
    ])
    func `rates read and print`(text: String, bits: Int64, printed: String) throws {
        let rate = try BitRate(parsing: text)
        #expect(rate.bitsPerSecond == bits)
        #expect(rate.text == printed)
        #expect(try BitRate(parsing: rate.text) == rate)
    }

    @Test(arguments: [
        ("780", "no unit"), ("0 kbit/s", "offline"), ("97 kB/s", "multiply by 8"), ("1001 Gbit/s", "highest"),
    ])
    func `bad rates are refused with the reason`(text: String, reason: String) {
        let error = #expect(throws: UnitError.self) { try BitRate(parsing: text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("1 %", 10_000_000, "1 %"), ("0.05%", 500_000, "0.05 %"), ("100 %", 1_000_000_000, "100 %"), ("0 %", 0, "0 %"),
    ])
    func `ratios read and print`(text: String, parts: Int64, printed: String) throws {
        let ratio = try Ratio(parsing: text)
        #expect(ratio.partsPerBillion == parts)
        #expect(ratio.text == printed)
    }

    @Test(arguments: ["1", "101 %", "0.00000001 %", "-1 %", "1 ‰"])
    func `bad ratios are refused`(text: String) {
        #expect(throws: UnitError.self) { try Ratio(parsing: text) }
    }

    @Test(arguments: [
        ("100 ms", Duration.milliseconds(100), "100 ms"), ("1.5 s", .milliseconds(1500), "1.5 s"),
        ("10min", .seconds(600), "10 min"),
        ("90 s", .seconds(90), "90 s"), ("2 h", .seconds(7200), "2 h"), ("0 s", .zero, "0 s"),
        ("250 µs", .microseconds(250), "250 us"),
        ("1234567 ns", .nanoseconds(1_234_567), "1234.567 us"), ("562.5 ms", .microseconds(562_500), "562.5 ms"),
    ])
    func `durations read and print`(text: String, duration: Duration, printed: String) throws {
        let read = try Duration(parsing: text)
        #expect(read == duration)
        #expect(read.text == printed)
        #expect(try Duration(parsing: read.text) == read)
    }

    @Test(arguments: ["100", "5 m", "0.5 ns", "-1 s", "s"])
    func `bad durations are refused`(text: String) {
        #expect(throws: UnitError.self) { try Duration(parsing: text) }
    }

    @Test func `every printed value reads back`() throws {
        var value: Int64 = 1
        while value < 1 << 52 {
            for offset in [-1, 0, 1, 7, 1000] where value + Int64(offset) > 0 {
                let number = value + Int64(offset)
                #expect(try ByteCount(parsing: ByteCount(number).text).bytes == number)
                #expect(try Duration(parsing: Duration.nanoseconds(number).text) == .nanoseconds(number))
                if number <= 1_000_000_000_000 {
                    #expect(try BitRate(parsing: BitRate(bitsPerSecond: number).text).bitsPerSecond == number)
                }
            }
            value = value * 3 + 1
        }
    }

    @Test(arguments: [
        (Int64.max - 5, Duration.nanoseconds(10), Int64.max), (.min + 5, .nanoseconds(-10), .min),
        (0, .seconds(Int64.max), .max), (0, .seconds(Int64.min), .min), (5, .nanoseconds(-5), 0),
    ])
    func `moments end where counting does`(start: Int64, step: Duration, end: Int64) {
        #expect((Instant(nanoseconds: start) + step).nanoseconds == end)
    }

    @Test(arguments: [
        (Int64.min, Int64.max, Int64.max), (.max, .min, .min), (-1, .max, .max), (3, 5, 2), (5, 3, -2),
    ])
    func `so do the times between them`(from: Int64, to: Int64, nanoseconds: Int64) {
        let duration = Instant(nanoseconds: from).duration(to: Instant(nanoseconds: to))
        #expect(duration.nanoseconds == nanoseconds)
        #expect(!duration.text.isEmpty)
    }

    @Test func `longer durations count as the longest`() {
        #expect(Duration.seconds(Int64.max).nanoseconds == .max)
        #expect(Duration.seconds(Int64.min).nanoseconds == .min)
        #expect(Duration.seconds(-1.5).nanoseconds == -1_500_000_000)
    }
}
