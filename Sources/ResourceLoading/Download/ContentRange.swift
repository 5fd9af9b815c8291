/// A Content-Range of bytes (RFC 9110 §14.4): `bytes 0-499/1234`, `bytes 0-499/*`, or `bytes */1234` with a 416.
package struct ContentRange: Hashable, Sendable {
    /// First and last byte of the body; nil if no range could be satisfied.
    package var bytes: ClosedRange<Int64>?
    /// The size of the whole file; nil if the server does not know it.
    package var total: Int64?

    /// Reads the field's value; nil if it is malformed or contradicts itself.
    package init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].trimmingASCIISpace.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        if halves[1] != "*" {
            guard let total = Self.number(halves[1]) else { return nil }
            self.total = total
        }
        if halves[0] == "*" {
            guard total != nil else { return nil }
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else {
            return nil
        }
        if let total, last >= total { return nil }
        bytes = first...last
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
