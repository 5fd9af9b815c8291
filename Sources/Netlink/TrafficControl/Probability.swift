/// A probability as the kernel has it: a share of 2³² − 1, without a sign.
package struct Probability: Hashable, Sendable, CustomStringConvertible {
    /// 0 is never; the highest is always.
    package let share: UInt32

    package static let never = Probability(share: 0)
    package static let always = Probability(share: .max)

    package init(share: UInt32) {
        self.share = share
    }

    /// The nearest probability to a number of parts per billion, rounded as by tc(8).
    ///
    /// More than a billion counts as always, less than 0 as never.
    package init(partsPerBillion: Int64) {
        let parts = UInt64(min(max(partsPerBillion, 0), Self.billion))
        share = UInt32((parts * UInt64(UInt32.max) + UInt64(Self.billion) / 2) / UInt64(Self.billion))
    }

    /// As a fraction of 1.
    package var fraction: Double { Double(share) / Double(UInt32.max) }

    /// In parts per billion: the number from which it was made.
    package var partsPerBillion: Int64 {
        Int64((UInt64(share) * UInt64(Self.billion) + UInt64(UInt32.max) / 2) / UInt64(UInt32.max))
    }

    /// 1 minus this probability.
    package var complement: Probability { Probability(share: .max - share) }

    package var description: String {
        let parts = partsPerBillion
        let decimals = String(String(parts % 10_000_000 + 10_000_000).dropFirst())
        let digits = decimals.reversed().drop { $0 == "0" }.reversed()
        return "\(parts / 10_000_000)\(digits.isEmpty ? "" : "." + String(digits))%"
    }

    private static let billion: Int64 = 1_000_000_000
}
