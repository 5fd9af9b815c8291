/// A recorded link: the moments at which it could deliver 1500 bytes (the trace format of Mahimahi, USENIX ATC 2015).
///
/// An unused opportunity is lost. The trace starts again at its last moment.
package struct DeliveryTrace: Hashable, Sendable {
    /// Bytes of one opportunity.
    package static let opportunityBytes = 1500

    /// The most characters of a wrong line that an error quotes.
    private static let quotedCharacters = 12

    /// Milliseconds from the start of the trace, not decreasing.
    package let milliseconds: [UInt32]
    /// After how many milliseconds the trace starts again.
    package var period: UInt32 { milliseconds[milliseconds.count - 1] }

    /// Why a text is not a trace.
    package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        /// Counted from 1; 0: the whole text.
        package let line: Int
        package let reason: String
        package var description: String { line == 0 ? reason : "line \(line): \(reason)" }
    }

    /// Reads one whole number of milliseconds a line; skips lines that are empty or start with `#`.
    package init(mahimahi text: String) throws(Malformed) {
        var milliseconds: [UInt32] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let number = line.filter { $0 != " " && $0 != "\r" && $0 != "\t" }
            if number.isEmpty || number.hasPrefix("#") { continue }
            guard let value = UInt32(number) else {
                // The file may not be a trace, and may hold a secret.
                let word = number.prefix(Self.quotedCharacters) + (number.count > Self.quotedCharacters ? "…" : "")
                throw Malformed(line: index + 1, reason: "'\(word)' is not a whole number of milliseconds")
            }
            if let last = milliseconds.last, value < last {
                throw Malformed(line: index + 1, reason: "\(value) ms comes after \(last) ms; times must not decrease")
            }
            milliseconds.append(value)
        }
        guard let last = milliseconds.last else { throw Malformed(line: 0, reason: "the trace has no line") }
        guard last > 0 else {
            throw Malformed(line: 0, reason: "the trace ends at 0 ms; it must last for at least 1 ms")
        }
        self.milliseconds = milliseconds
    }

    /// Bits per second over a whole period.
    package var meanRate: Double {
        Double(milliseconds.count * Self.opportunityBytes * 8) * 1000 / Double(period)
    }
}
