/// The arrivals of bytes over time, at the end of a loaded link.
///
/// Bytes that arrive within 0.1 ms are one arrival, at the time of the last of them. This bounds the log, and a burst
/// that was read late counts as one.
struct ArrivalLog: Sendable, Equatable {
    struct Arrival: Sendable, Equatable {
        /// When its first and its last byte were read, in nanoseconds of CLOCK_MONOTONIC.
        let first: Int64
        var last: Int64
        /// All bytes up to this arrival, itself included.
        var total: Int
        /// The bytes of `total` on the wire, headers included.
        var wire: Double
    }

    /// The time between two arrivals.
    ///
    /// The bytes of the arrival that opens it are not part of it.
    struct Window: Sendable, Equatable {
        var bytes: Int
        /// The bytes with headers.
        var wireBytes: Double
        var nanoseconds: Int64
        var arrivals: Int

        /// Payload bits per second.
        var rate: Double { Double(bytes) * 8 * 1e9 / Double(nanoseconds) }
        /// Bits per second on the wire.
        var wireRate: Double { wireBytes * 8 * 1e9 / Double(nanoseconds) }
    }

    private static let burst: Int64 = 100_000

    private(set) var arrivals: [Arrival] = []
    private let packet: ProbePacket

    init(packet: ProbePacket = ProbePacket()) { self.packet = packet }

    /// The number of all bytes that arrived.
    var bytes: Int { arrivals.last?.total ?? 0 }

    /// Notes that `count` bytes were read at `instant`, in nanoseconds, which is not before the last one.
    mutating func note(_ count: Int, at instant: Int64) {
        var arrival = Arrival(first: instant, last: instant, total: bytes + count, wire: 0)
        if let last = arrivals.last, instant - last.first < Self.burst {
            arrival = Arrival(first: last.first, last: instant, total: bytes + count, wire: 0)
            arrivals.removeLast()
        }
        let before = arrivals.last
        arrival.wire = (before?.wire ?? 0) + packet.wireBytes(arrival.total - (before?.total ?? 0))
        arrivals.append(arrival)
    }

    /// The window from the first arrival to the last; `nil` if no time passed.
    var whole: Window? {
        arrivals.isEmpty ? nil : window(from: 0, to: arrivals.count - 1)
    }

    /// The window that represents the steady part: the median of the fast ones.
    ///
    /// For each arrival, this considers the shortest window from it that is long enough. It leaves out a window that
    /// opens with a burst, as of bytes that waited for a retransmission. It leaves out windows below nine tenths of the
    /// fastest rate, which slow start and stalls cause. It takes the median of the rest, as the fastest window is one
    /// that began with a late arrival.
    ///
    /// - Parameters:
    ///   - shortest: the shortest length of a window.
    ///   - fewest: the fewest arrivals in a window, besides the one that opens it.
    ///   - isEven: whether a window may have pauses of only 2 ms plus 1 % of its length, and only 4 % of its bytes in
    ///     bursts; by default pauses and bursts are not limited.
    /// - Returns: the window; `nil` if no window is long enough.
    func steady(shortest: Duration, fewest: Int, isEven: Bool = false) -> Window? {
        var windows = windows(shortest: shortest, fewest: fewest)
        if isEven {
            let (pauses, bursts) = (pauses(), bursts())
            windows.removeAll { start, window in
                let end = start + window.arrivals
                return pauses[end] - pauses[start] > window.nanoseconds / 100 + Throughput.timing.wholeNanoseconds
                    || Double(bursts[end] - bursts[start]) > Double(window.bytes) * 0.04
            }
        }
        let sorted = windows.map(\.window).sorted { $0.rate < $1.rate }
        guard let fastest = sorted.last else { return nil }
        let steady = sorted.drop { $0.rate < fastest.rate * 0.9 }
        return steady[steady.startIndex + (steady.count - 1) / 2]
    }

    /// How long the link seems to have been idle up to each arrival, in nanoseconds.
    ///
    /// This is the sum of the excess over the median wait, of all waits above one and a half times the median.
    private func pauses() -> [Int64] {
        let waits = zip(arrivals, arrivals.dropFirst()).map { $1.last - $0.last }
        return Self.excess(waits)
    }

    /// How many bytes up to each arrival seem to have been held back and come at once; computed as ``pauses()``.
    private func bursts() -> [Int64] {
        Self.excess(zip(arrivals, arrivals.dropFirst()).map { Int64($1.total - $0.total) })
    }

    private static func excess(_ steps: [Int64]) -> [Int64] {
        guard !steps.isEmpty else { return [0] }
        let usual = steps.sorted()[steps.count / 2]
        return steps.reduce(into: [0]) { $0.append(($0.last ?? 0) + ($1 > usual * 3 / 2 ? $1 - usual : 0)) }
    }

    private func windows(shortest: Duration, fewest: Int) -> [(start: Int, window: Window)] {
        let (shortest, fewest) = (max(1, shortest.wholeNanoseconds), max(1, fewest))
        var windows: [(start: Int, window: Window)] = []
        var end = 0
        for start in arrivals.indices {
            end = max(end, start + fewest)
            while end < arrivals.count, arrivals[end].last - arrivals[start].last < shortest { end += 1 }
            guard end < arrivals.count else { break }
            if let window = window(from: start, to: end), !opensWithBurst(start, window) {
                windows.append((start, window))
            }
        }
        return windows
    }

    /// Whether the first fifth of a window's time has more than 1.3 times a fifth of its bytes.
    private func opensWithBurst(_ start: Int, _ window: Window) -> Bool {
        let fifth = arrivals[start].last + window.nanoseconds / 5
        var (early, late) = (start, start + window.arrivals)
        while late - early > 1 {
            let middle = (early + late) / 2
            if arrivals[middle].last <= fifth { early = middle } else { late = middle }
        }
        return Double(arrivals[early].total - arrivals[start].total) * 5 > Double(window.bytes) * 1.3
    }

    private func window(from start: Int, to end: Int) -> Window? {
        let time = arrivals[end].last - arrivals[start].last
        guard time > 0 else { return nil }
        return Window(
            bytes: arrivals[end].total - arrivals[start].total, wireBytes: arrivals[end].wire - arrivals[start].wire,
            nanoseconds: time, arrivals: end - start)
    }
}
