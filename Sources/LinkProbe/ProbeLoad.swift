/// What loads one direction of a link, and what of it a rate may come from.
package struct ProbeLoad: Sendable, Equatable {
    /// Payload in all, in bytes.
    package var bytes: Int
    /// Payload of one write, in bytes; `nil` writes as much as is taken.
    ///
    /// Pieces are written 10 ms apart, so that each is a packet of its own: a slow link shows its rate by few of them.
    package var pieceBytes: Int?
    /// How long the direction is loaded at most, from the first byte that arrives.
    package var duration: Duration
    /// Whether a rate comes only from a stretch that was even: without a pause, and without a burst after one.
    ///
    /// A sender that waits for what was lost leaves a link idle, and one that sends needlessly again keeps it busy with
    /// what does not count: both are pauses where packets arrive one by one. Many packets at once hide them in their noise.
    package var isEven: Bool
    /// The shortest window that a rate may come from; one of 500 ms is looked for first.
    package var shortestWindow: Duration
    /// The fewest arrivals that a rate may come from, beside the one that opens the window.
    package var fewestArrivals: Int
    /// The uncertainty of a rate, as a share of it, at which the direction has been loaded enough; `nil` sends all.
    package var sufficient: Double?

    /// A load; see the properties for units.
    package init(
        bytes: Int, pieceBytes: Int? = nil, duration: Duration = .seconds(2), isEven: Bool = false,
        shortestWindow: Duration = .milliseconds(500), fewestArrivals: Int = 3, sufficient: Double? = nil
    ) {
        self.bytes = bytes
        self.pieceBytes = pieceBytes
        self.duration = duration
        self.isEven = isEven
        self.shortestWindow = shortestWindow
        self.fewestArrivals = fewestArrivals
        self.sufficient = sufficient
    }
}
