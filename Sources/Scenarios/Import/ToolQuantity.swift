import LinkModel

/// Reads quantities in the units of other tools; nil for a text that is not a quantity, or that no link can have.
enum ToolQuantity {
    /// Factors to bit/s of tc(8)'s units: `kbit` is 1,000 bits, `kbps` is 1,000 bytes, `kibit` is 1,024 bits; no unit
    /// is bits.
    static let trafficControlRates: [String: Double] = [
        "": 1, "bit": 1, "kbit": 1e3, "mbit": 1e6, "gbit": 1e9, "tbit": 1e12, "kibit": 1024, "mibit": 1_048_576,
        "gibit": 1_073_741_824, "bps": 8, "kbps": 8e3, "mbps": 8e6, "gbps": 8e9, "kibps": 8192, "mibps": 8_388_608,
        "gibps": 8_589_934_592,
    ]
    /// Factors to bit/s of tcset's units: `Kbps` is 1,000 bits.
    static let tcconfigRates: [String: Double] = [
        "bps": 1, "kbps": 1e3, "mbps": 1e6, "gbps": 1e9, "bit/s": 1, "kbit/s": 1e3, "mbit/s": 1e6, "gbit/s": 1e9,
    ]
    /// Factors to nanoseconds of tc(8)'s units; no unit is microseconds.
    static let trafficControlTimes: [String: Double] = [
        "": 1e3, "ns": 1, "nsec": 1, "nsecs": 1, "us": 1e3, "usec": 1e3, "usecs": 1e3, "ms": 1e6, "msec": 1e6,
        "msecs": 1e6,
        "s": 1e9, "sec": 1e9, "secs": 1e9,
    ]
    /// Factors to nanoseconds of tcset's units; no unit is milliseconds.
    static let tcconfigTimes: [String: Double] = trafficControlTimes.merging(["": 1e6, "m": 6e10, "min": 6e10]) { $1 }
    /// Factors to bytes of tc(8)'s units: `k` is 1,024.
    private static let sizes: [String: Double] = [
        "": 1, "b": 1, "k": 1024, "kb": 1024, "m": 1_048_576, "mb": 1_048_576, "g": 1_073_741_824, "gb": 1_073_741_824,
        "kbit": 128, "mbit": 131_072, "gbit": 134_217_728,
    ]

    /// A rate of 1 bit/s to 1 Tbit/s.
    static func rate(_ text: String, _ units: [String: Double]) -> BitRate? { value(text, units).flatMap(rate) }

    /// A rate in bits per second, of 1 bit/s to 1 Tbit/s.
    static func rate(_ bits: Double) -> BitRate? {
        (1...1e12).contains(bits) ? BitRate(bitsPerSecond: Int64(bits.rounded())) : nil
    }

    /// A time of up to an hour.
    static func time(_ text: String, _ units: [String: Double]) -> Duration? {
        value(text, units).flatMap { time(milliseconds: $0 / 1e6) }
    }

    static func time(milliseconds: Double) -> Duration? {
        let most = LinkBounds.delay.upperBound.seconds * 1000
        return (0...most).contains(milliseconds) ? .nanoseconds(Int64((milliseconds * 1e6).rounded())) : nil
    }

    /// A percentage from 0 to 100, with or without `%`.
    static func percent(_ text: String) -> Ratio? { value(text, ["": 1, "%": 1]).flatMap(percent) }

    static func percent(_ number: Double) -> Ratio? {
        (0...100).contains(number) ? Ratio(partsPerBillion: Int64((number * 1e7).rounded())) : nil
    }

    /// The size of a queue in bytes.
    static func size(_ text: String) -> ByteCount? {
        value(text, sizes).flatMap { (1...Double(LinkBounds.queueBytes)).contains($0) ? ByteCount(Int64($0)) : nil }
    }

    private static func value(_ text: String, _ units: [String: Double]) -> Double? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard (1...24).contains(digits.utf8.count), let number = Double(digits), number.isFinite,
            let unit = units[text.dropFirst(digits.count).lowercased()]
        else { return nil }
        return number * unit
    }
}
