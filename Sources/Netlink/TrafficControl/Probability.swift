/// A probability as the kernel has it: a share of 2³² − 1, without a sign.
package struct Probability: Hashable, Sendable, CustomStringConvertible {
    /// 0 is never; the highest is always.
    package let share: UInt32

    package static let never = Probability(share: 0)
    package static let always = Probability(share: .max)

    package init(share: UInt32) {
        self.share = share
    }

    /// The nearest one to parts of a billion, as tc(8) rounds too.
    ///
    /// More than a billion is always.
    package init(partsPerBillion: Int64) {
        let parts = UInt64(min(max(partsPerBillion, 0), Self.billion))
        share = UInt32((parts * UInt64(UInt32.max) + UInt64(Self.billion) / 2) / UInt64(Self.billion))
    }

    /// As a fraction of 1.
    package var fraction: Double { Double(share) / Double(UInt32.max) }

    /// In parts of a billion: those that it was made of.
    package var partsPerBillion: Int64 {
        Int64((UInt64(share) * UInt64(Self.billion) + UInt64(UInt32.max) / 2) / UInt64(UInt32.max))
    }

    /// What is left of one.
    package var complement: Probability { Probability(share: .max - share) }

    package var description: String {
        let parts = partsPerBillion
        let decimals = String(String(parts % 10_000_000 + 10_000_000).dropFirst())
        let digits = decimals.reversed().drop { $0 == "0" }.reversed()
        return "\(parts / 10_000_000)\(digits.isEmpty ? "" : "." + String(digits))%"
    }

    private static let billion: Int64 = 1_000_000_000
}
