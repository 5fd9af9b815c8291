private import Glibc

/// How much a sender may have in flight: slow start with HyStart, then cubic (RFC 9438, RFC 9406).
struct CongestionWindow {
    /// In bytes.
    private(set) var bytes: Double
    private(set) var threshold = Double.infinity
    private let segment: Double
    private var largest = 0.0
    private var epoch: Epoch?
    private var round = SlowStartRound()

    /// Since the last loss.
    private struct Epoch {
        var start: Instant
        /// The window at the plateau.
        var origin: Double
        /// Seconds until the window is back where it was.
        var plateau: Double
        /// What Reno's growth would have reached (RFC 9438 §4.3).
        var reno: Double
    }

    /// The round trips of one round of slow start.
    private struct SlowStartRound {
        var end: Int64 = 0
        var shortest = Int64.max
        var samples = 0
    }

    private static let decrease = 0.7
    private static let growth = 0.4

    init(segments: Int, segmentBytes: Int) {
        segment = Double(segmentBytes)
        bytes = Double(segments * segmentBytes)
    }

    var isSlowStart: Bool { bytes < threshold }

    /// Grows after `count` bytes were acknowledged to a sender that the window had held back.
    mutating func grow(acknowledged count: Int, now: Instant, roundTrip: Duration) {
        if isSlowStart {
            bytes += Double(count)
            return
        }
        var epoch = self.epoch ?? makeEpoch(at: now)
        let time = (epoch.start.duration(to: now) + roundTrip).seconds - epoch.plateau
        let target = Self.growth * time * time * time * segment + epoch.origin
        let share = Double(count) / bytes
        epoch.reno += 3 * (1 - Self.decrease) / (1 + Self.decrease) * share * segment
        if target > bytes {
            bytes += min((target - bytes) * share, Double(count) / 2)
        } else {
            bytes += 0.01 * share * segment
        }
        bytes = max(bytes, epoch.reno)
        self.epoch = epoch
    }

    /// Looks for the queue that slow start builds, and ends slow start when it grows.
    mutating func observe(roundTrip: Duration, shortest: Duration, acknowledged: Int64, next: Int64) {
        guard isSlowStart else { return }
        // Rounds are counted from the first one on, so that each begins with the first segments of a flight.
        if acknowledged > round.end { round = SlowStartRound(end: next) }
        guard bytes >= 16 * segment, round.samples < 8 else { return }
        round.samples += 1
        round.shortest = min(round.shortest, roundTrip.nanoseconds)
        let allowance = min(max(shortest.nanoseconds / 8, 4_000_000), 16_000_000)
        if round.samples == 8, round.shortest >= shortest.nanoseconds + allowance { threshold = bytes }
    }

    /// Shrinks once for all losses of one window.
    mutating func loss() {
        largest = bytes < largest ? bytes * (1 + Self.decrease) / 2 : bytes
        threshold = max(2 * segment, bytes * Self.decrease)
        bytes = threshold
        epoch = nil
    }

    /// Falls back to one segment after a retransmission timeout.
    mutating func timeout(isFirst: Bool) {
        if isFirst {
            largest = bytes
            threshold = max(2 * segment, bytes * Self.decrease)
        }
        bytes = segment
        epoch = nil
    }

    private func makeEpoch(at now: Instant) -> Epoch {
        let origin = max(largest, bytes)
        let plateau = cbrt((origin - bytes) / segment / Self.growth)
        return Epoch(start: now, origin: origin, plateau: plateau, reno: bytes)
    }
}
