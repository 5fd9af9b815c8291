private import Glibc

/// How much a sender may have in flight: slow start with HyStart, then cubic (RFC 9438, RFC 9406), as Linux counts.
///
/// Linux rounds to whole segments when a window shrinks, which matters for windows of a few segments.
struct CongestionWindow {
    /// In bytes.
    private(set) var bytes: Double
    private(set) var threshold = Double.infinity
    private let segment: Double
    private var largest = 0.0
    private var epoch: Epoch?
    private var round = SlowStartRound()
    /// The shortest round trip of data since the start, or since the last timeout.
    private var shortest: Duration?

    /// The growth since the last loss.
    private struct Epoch {
        var start: Instant
        /// The window at the plateau.
        var origin: Double
        /// Seconds until the window is back where it was.
        var plateau: Double
        /// The window that Reno's growth would have reached (RFC 9438 §4.3).
        var reno: Double
    }

    /// One round of slow start: its round trips, and since when its acknowledgements have followed each other in one
    /// train.
    private struct SlowStartRound {
        var end: Int64 = -1
        var start = Instant(nanoseconds: 0)
        var lastAcknowledgement = Instant(nanoseconds: 0)
        var shortest = Duration.seconds(3600)
        var samples = 0
    }

    private static let decrease = 0.7
    private static let growth = 0.4
    /// Acknowledgements this close to each other belong to one train.
    private static let trainGap = Duration.milliseconds(2)

    init(segments: Int, segmentBytes: Int) {
        segment = Double(segmentBytes)
        bytes = Double(segments * segmentBytes)
    }

    var isSlowStart: Bool { bytes < threshold }

    /// Grows after `count` bytes were acknowledged; only for a sender that the window has limited.
    mutating func grow(acknowledged count: Int, now: Instant) {
        var count = Double(count)
        if isSlowStart {
            let step = min(count, threshold - bytes)
            bytes += step
            count -= step
            guard count > 0 else { return }
        }
        var epoch = self.epoch ?? makeEpoch(at: now)
        let time = (epoch.start.duration(to: now) + (shortest ?? .zero)).seconds - epoch.plateau
        let target = Self.growth * time * time * time * segment + epoch.origin
        let windows = count / bytes
        epoch.reno += 3 * (1 - Self.decrease) / (1 + Self.decrease) * windows * segment
        // By how many bytes the window grows while one window is acknowledged.
        var pace = target > bytes ? target - bytes : 0.01 * segment
        if largest == 0 { pace = max(pace, bytes / 20) }
        pace = min(max(pace, epoch.reno - bytes), bytes / 2)
        bytes += pace * windows
        self.epoch = epoch
    }

    /// Looks for the queue that slow start builds, and ends slow start when it grows.
    mutating func observe(roundTrip: Duration, acknowledged: Int64, next: Int64, now: Instant) {
        let shortest = min(self.shortest ?? roundTrip, roundTrip)
        self.shortest = shortest
        guard isSlowStart else { return }
        if acknowledged > round.end {
            round = SlowStartRound(end: next, start: now, lastAcknowledgement: now)
        }
        guard bytes >= 16 * segment else { return }
        if round.lastAcknowledgement.duration(to: now) <= Self.trainGap {
            round.lastAcknowledgement = now
            if round.start.duration(to: now) > shortest / 2 { threshold = bytes }
        }
        round.shortest = min(round.shortest, roundTrip)
        guard round.samples >= 8 else {
            round.samples += 1
            return
        }
        let allowance = min(max(shortest / 8, .milliseconds(4)), .milliseconds(16))
        if round.shortest > shortest + allowance { threshold = bytes }
    }

    /// Sets the window after a loss as the target; ``recover(bytes:)`` leads there, and ``endReduction()`` arrives
    /// there.
    mutating func reduce() {
        largest = bytes < largest ? bytes * (1 + Self.decrease) / 2 : bytes
        threshold = reduced
        epoch = nil
    }

    /// Allows `bytes` in flight while a loss is repaired (RFC 6937).
    mutating func recover(bytes: Int) { self.bytes = Double(bytes) }

    mutating func endReduction() { bytes = threshold }

    /// After a retransmission timeout, falls back to one segment beyond what is in flight.
    mutating func timeout(inFlight: Int, reduces: Bool) {
        if reduces { threshold = reduced }
        bytes = Double(inFlight) + segment
        largest = 0
        epoch = nil
        shortest = nil
        round = SlowStartRound()
    }

    /// Halves the window for each timeout that the sender was idle, down to the first window (RFC 2861).
    mutating func restart(idle: Duration, timeout: Duration, segments: Int) {
        let least = min(Double(segments) * segment, bytes)
        threshold = max(threshold, bytes * 3 / 4)
        var left = idle - timeout
        while left > .zero, bytes > least {
            bytes /= 2
            left -= timeout
        }
        bytes = max(bytes, least)
    }

    /// The window after a loss, in whole segments.
    private var reduced: Double {
        max(2, (bytes / segment).rounded(.down) * Self.decrease).rounded(.down) * segment
    }

    private func makeEpoch(at now: Instant) -> Epoch {
        let origin = max(largest, bytes)
        let plateau = cbrt((origin - bytes) / segment / Self.growth)
        return Epoch(start: now, origin: origin, plateau: plateau, reno: bytes)
    }
}
