/// How much may wait in front of a direction's rate; what exceeds it is dropped at the tail.
package enum QueueLimit: Hashable, Sendable {
    case bytes(ByteCount)
    /// Packets of any size.
    case packets(Int)

    /// Reads a size with its unit, or a number of packets: `64 KiB`, `50 packets`.
    package init(parsing text: String) throws(UnitError) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[1] == "packets" || words[1] == "packet" else {
            self = .bytes(try ByteCount(parsing: text))
            return
        }
        guard let count = Int(words[0]), LinkBounds.queuePackets.contains(count) else {
            throw UnitError(
                text: text, expected: "a queue such as 50 packets",
                reason: "it has room for 1 to \(LinkBounds.queuePackets.upperBound) packets")
        }
        self = .packets(count)
    }

    /// The text that reads back as this value.
    package var text: String {
        switch self {
        case .bytes(let count): count.text
        case .packets(let count): "\(count) packets"
        }
    }
}
