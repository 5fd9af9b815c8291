/// The load of one direction of a link, and which of its windows may give a rate.
package struct ProbeLoad: Sendable, Equatable {
    /// The whole payload, in bytes.
    package var bytes: Int
    /// The payload of one write, in bytes; `nil` (the default) writes as much as the socket takes.
    ///
    /// Pieces are written 10 ms apart, so that each is a packet of its own: a slow link shows its rate by few of them.
    package var pieceBytes: Int?
    /// The longest time of the load, from the first byte that arrives (default: 2 s).
    package var duration: Duration
    /// Whether a rate comes only from an even window: without a pause, and without a burst after one (default: false).
    ///
    /// A sender that waits for a retransmission leaves the link idle. One that retransmits needlessly fills it with
    /// bytes that do not count. Both show as pauses if packets arrive one by one, but not among many packets at once.
    package var isEven: Bool
    /// The shortest window that may give a rate (default: 500 ms).
    ///
    /// With ``isEven``, longer windows are tried first, from 500 ms on.
    package var shortestWindow: Duration
    /// The fewest arrivals that may give a rate, besides the one that opens the window (default: 3).
    package var fewestArrivals: Int
    /// The uncertainty, as a share of the rate, at which the load ends; `nil` (the default) sends all.
    package var sufficient: Double?

    /// A load; see the properties for units and defaults.
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
