/// What holds in one direction of a link at one instant.
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
    /// Share of packets that arrive twice.
    package var duplicate: Ratio
    /// Share of packets that skip the delay, and so overtake those before them.
    package var reorder: Ratio
    /// Share of packets with one bit flipped.
    package var corrupt: Ratio
    /// Room in front of the rate; nil is the default of ``LinkConditions/queueBytes(_:)``.
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
