/// A part of a run that is divided among machines: `3/8` is the third of eight.
package struct ShardNumber: Hashable, Sendable, Codable, CustomStringConvertible {
    /// From 1.
    package var index: Int
    /// From 1 to ``mostShards``.
    package var count: Int
    /// The SHA-256 of the division, in hexadecimal digits; empty before the run is divided.
    ///
    /// Shards with the same digest are parts of one run.
    package var division = ""

    /// The most shards that a run may have.
    package static let mostShards = 10_000

    /// Reads `3/8`; nil for any other text, and if the first number is not from 1 to the second.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(index: parts[0], count: parts[1])
    }

    /// Reads two numbers of decimal digits; nil for any other text, and if the first is not from 1 to the second.
    package init?(index: some StringProtocol, count: some StringProtocol) {
        let numbers = [String(index), String(count)].map { text in
            text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
        }
        guard let index = numbers[0], let count = numbers[1], (1...Self.mostShards).contains(count),
            (1...count).contains(index)
        else { return nil }
        (self.index, self.count) = (index, count)
    }

    package var description: String { "\(index)/\(count)" }
}
