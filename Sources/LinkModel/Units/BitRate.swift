/// A rate in bits per second, decimal: `780 kbit/s`, `50 Mbit/s`.
///
/// A rate is never 0: a link that delivers nothing is ``OfflineKind``.
package struct BitRate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Bits per second, 1 or more.
    package let bitsPerSecond: Int64

    package init(bitsPerSecond: Int64) {
        precondition(bitsPerSecond > 0, "a rate is more than 0 bit/s: \(bitsPerSecond)")
        self.bitsPerSecond = bitsPerSecond
    }

    /// Reads a rate with its unit (`bit/s`, `kbit/s`, `Mbit/s`, `Gbit/s`, or `kbps`, `Mbps`, `Gbps`).
    package init(parsing text: String) throws(UnitError) {
        let expected = "a rate such as 780 kbit/s or 50 Mbit/s"
        let number = try DecimalText(text, expected: expected)
        func failure(_ reason: String) -> UnitError { UnitError(text: text, expected: expected, reason: reason) }
        if number.unit.isEmpty { throw failure("it has no unit; write \(text) kbit/s or Mbit/s") }
        guard let scale = Self.scales.first(where: { $0.name == number.unit || $0.alias == number.unit }) else {
            if number.unit.contains("B/s") || number.unit.hasSuffix("Bps") {
                throw failure("rates are bits per second; multiply by 8 and write kbit/s or Mbit/s")
            }
            throw failure("'\(number.unit)' is not a unit of rate; write bit/s, kbit/s, Mbit/s or Gbit/s")
        }
        guard let rate = number.scaled(by: scale.bits) else {
            throw failure("it is not a whole number of bits per second that fits into 63 bits")
        }
        guard rate > 0 else { throw failure("for a link that delivers nothing, write 'offline: silent'") }
        guard rate <= Self.greatest else {
            throw failure("the highest rate is 1000 Gbit/s; leave the rate out for no limit")
        }
        self.bitsPerSecond = rate
    }

    /// Reads a rate in bits as ``init(parsing:)`` does, or one in bytes, as programs print it: `16 kbit/s`, `2 kB/s`.
    package init(parsingBitsOrBytes text: String) throws(UnitError) {
        guard text.hasSuffix("B/s") else {
            try self.init(parsing: text)
            return
        }
        let bytes = try ByteCount(parsing: String(text.dropLast(2))).bytes
        guard bytes > 0, bytes <= Self.greatest / 8 else {
            throw UnitError(
                text: text, expected: "a rate such as 16 kbit/s or 2 kB/s",
                reason: bytes > 0 ? "the highest rate is 1000 Gbit/s" : "for a host that sends nothing, write 'stall'")
        }
        self.init(bitsPerSecond: bytes * 8)
    }

    /// The shortest text that reads back as this value.
    package var text: String {
        for scale in Self.scales where bitsPerSecond >= scale.bits {
            if let number = DecimalText.text(bitsPerSecond, scale: scale.bits, decimals: 4) {
                return "\(number) \(scale.name)"
            }
        }
        return "\(bitsPerSecond) bit/s"
    }

    package var description: String { text }

    package static func < (left: Self, right: Self) -> Bool { left.bitsPerSecond < right.bitsPerSecond }

    /// The units that a text may have.
    package static let unitNames = scales.flatMap { [$0.name, $0.alias] }

    private static let greatest: Int64 = 1_000_000_000_000
    private static let scales: [(name: String, alias: String, bits: Int64)] = [
        ("Gbit/s", "Gbps", 1_000_000_000), ("Mbit/s", "Mbps", 1_000_000), ("kbit/s", "kbps", 1000), ("bit/s", "bps", 1),
    ]
}
