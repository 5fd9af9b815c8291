/// The conditions in one direction of a link at one instant.
///
/// An absent value leaves that property alone.
package struct Conditions: Hashable, Sendable {
    /// Bits per second on the wire, headers included; nil (the default) is unlimited.
    package var rate: BitRate?
    /// One-way delay, added after the rate; 0 by default.
    package var delay: Duration
    /// Variation of the delay; none by default.
    package var jitter: Jitter?
    /// Which packets are lost before they reach the queue; none by default.
    package var loss: Loss?
    /// Share of packets that arrive twice; 0 by default.
    package var duplicate: Ratio
    /// Share of packets that skip the delay, and so overtake those before them; 0 by default.
    package var reorder: Ratio
    /// Share of packets with one bit flipped; 0 by default.
    package var corrupt: Ratio
    /// How much may wait for the rate; nil is the default of ``LinkConditions/queueBytes(_:)``.
    package var queue: QueueLimit?

    package init(
        rate: BitRate? = nil,
        delay: Duration = .zero,
        jitter: Jitter? = nil,
        loss: Loss? = nil,
        duplicate: Ratio = .zero,
        reorder: Ratio = .zero,
        corrupt: Ratio = .zero,
        queue: QueueLimit? = nil
    ) {
        self.rate = rate
        self.delay = delay
        self.jitter = jitter
        self.loss = loss
        self.duplicate = duplicate
        self.reorder = reorder
        self.corrupt = corrupt
        self.queue = queue
    }

    /// Whether this direction lets everything pass at once.
    package var isUnshaped: Bool {
        rate == nil && delay == .zero && jitter == nil && (loss?.mean ?? 0) == 0
            && duplicate == .zero && reorder == .zero && corrupt == .zero
    }
}

/// How much may wait for a direction's rate; packets beyond it are dropped at the tail.
package enum QueueLimit: Hashable, Sendable {
    case bytes(ByteCount)
    /// Packets of any size.
    case packets(Int)

    /// Reads a size with its unit, or a number of packets, 1 to 1,000,000: `64 KiB`, `50 packets`.
    package init(parsing text: String) throws(UnitError) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[1] == "packets" || words[1] == "packet" else {
            self = .bytes(try ByteCount(parsing: text))
            return
        }
        guard let count = Int(words[0]), LinkBounds.queuePackets.contains(count) else {
            throw UnitError(
                text: text, expected: "a queue such as 50 packets",
                reason: "a queue holds 1 to \(LinkBounds.queuePackets.upperBound) packets")
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

extension Conditions {
    /// The delay of a packet whose random number is `unit`, 0 or more and below 1; never negative.
    func delay(at unit: Double) -> Duration {
        guard let jitter else { return delay }
        let offset = jitter.distribution.quantile(unit) * Double(jitter.amount.nanoseconds)
        return .nanoseconds(max(0, delay.nanoseconds + Int64(offset)))
    }
}
