/// Sizes as a device's Settings show them.
package enum StorageText {
    /// A number of bytes in decimal units: KB without decimals, MB with one at most, GB and TB with two at most.
    ///
    /// The rule is that of ByteCountFormatter's file style, rounded to the nearest.
    package static func text(_ bytes: Int64) -> String {
        if bytes < 1000 { return bytes == 1 ? "1 byte" : "\(max(0, bytes)) bytes" }
        let units: [(name: String, bytes: Int64, digits: Int)] = [
            ("KB", 1000, 0), ("MB", 1_000_000, 1), ("GB", 1_000_000_000, 2), ("TB", 1_000_000_000_000, 2),
        ]
        for (index, unit) in units.enumerated() {
            // Rounded first: 999,999 bytes are 1 MB, not 1000 KB.
            let scale: Int64 = unit.digits == 0 ? 1 : unit.digits == 1 ? 10 : 100
            let step = unit.bytes / scale
            let count = bytes / step + (bytes % step >= step / 2 ? 1 : 0)
            guard count >= 1000 * scale, index < units.count - 1 else { return number(count, scale) + " " + unit.name }
        }
        preconditionFailure("the last unit takes any number")
    }

    /// `count` divided by `scale` (1, 10 or 100) as a decimal number, without trailing zeros.
    private static func number(_ count: Int64, _ scale: Int64) -> String {
        let rest = count % scale
        guard rest != 0 else { return "\(count / scale)" }
        let digits =
            scale == 100 && rest % 10 == 0 ? "\(rest / 10)" : scale == 100 && rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(count / scale).\(digits)"
    }
}
