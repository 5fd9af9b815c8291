import LinkModel

/// Whether many packets come by.
struct Turnover {
    private var packets = 0
    private var start = Instant(nanoseconds: 0)
    private var isBusy = false

    private static let window: Int64 = 1_000_000
    /// Packets in a window of which a link is busy: 200 Mbit/s one way, with acknowledgements.
    private static let many = 24

    mutating func add(_ count: Int) { packets += count }

    /// Whether there were many in the last whole window.
    mutating func isBusy(at now: Instant) -> Bool {
        let passed = now.nanoseconds - start.nanoseconds
        if passed >= Self.window {
            isBusy = packets >= Self.many && passed < 2 * Self.window
            packets = 0
            start = now
        }
        return isBusy
    }
}
