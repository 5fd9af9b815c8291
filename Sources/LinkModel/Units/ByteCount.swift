/// A number of bytes: `64 MiB`, `2 GB`, `512 B`.
///
/// `kB`, `MB`, `GB`, `TB` are decimal, `KiB`, `MiB`, `GiB`, `TiB` binary (IEC 80000-13).
package struct ByteCount: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The count in bytes, 0 or more.
    package let bytes: Int64

    package init(_ bytes: Int64) {
        precondition(bytes >= 0, "a byte count is not negative: \(bytes)")
        self.bytes = bytes
    }

    /// Reads a size with its unit; a bare number is an error, because KiB and kB are both plausible.
    package init(parsing text: String) throws(UnitError) {
        let expected = "a size such as 64 MiB or 2 GB"
        let number = try DecimalText(text, expected: expected)
        func failure(_ reason: String) -> UnitError { UnitError(text: text, expected: expected, reason: reason) }
        if number.unit.isEmpty {
            throw failure("it has no unit; write \(text) B, kB, MB, GB, KiB, MiB or GiB")
        }
        guard let scale = Self.scales.first(where: { $0.name == number.unit })?.bytes else {
            if number.unit.hasSuffix("bit") || number.unit.contains("/") {
                throw failure("'\(number.unit)' is a rate or counts bits; sizes are bytes, such as MB or MiB")
            }
            throw failure("'\(number.unit)' is not a unit of size; write B, kB, MB, GB, TB, KiB, MiB, GiB or TiB")
        }
        guard let bytes = number.scaled(by: scale) else {
            throw failure("it is not a whole number of bytes that fits into 63 bits")
        }
        self.bytes = bytes
    }

    /// The shortest text that reads back as this value.
    package var text: String {
        for scale in Self.scales where bytes >= scale.bytes {
            if let number = DecimalText.text(bytes, scale: scale.bytes, decimals: 3) {
                return "\(number) \(scale.name)"
            }
        }
        return "\(bytes) B"
    }

    package var description: String { text }

    package static func < (left: Self, right: Self) -> Bool { left.bytes < right.bytes }

    /// The units that a text may have.
    package static let unitNames = scales.map(\.name)

    private static let scales: [(name: String, bytes: Int64)] = [
        ("TiB", 1 << 40), ("TB", 1_000_000_000_000), ("GiB", 1 << 30), ("GB", 1_000_000_000),
        ("MiB", 1 << 20), ("MB", 1_000_000), ("KiB", 1 << 10), ("kB", 1000), ("B", 1),
    ]
}
