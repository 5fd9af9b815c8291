import Glibc
import LinkModel
import LinkProbe
import Results
import Scenarios

/// Measurements of a link, compared with what was set.
struct LinkReading {
    let trace: AttemptTrace
    let setup: AttemptSetup

    /// The measurements from before the attempts and from this one.
    var measurements: [LinkMeasurement] { setup.calibration.map(passive) + lossMeasurements }

    /// The finding that no setting could be measured, so that the link is unverified; nil if one could.
    var unverified: Finding? {
        let set = measurements.filter { $0.set != nil && $0.set != 0 }
        guard let first = set.first, set.allSatisfy({ $0.measured == nil }) else { return nil }
        return Finding(.linkUnverified, "\(first.text), \(first.method)")
    }

    /// A note about the delay of name lookups, which is not measured; nil if none is set.
    var unmeasuredLookups: String? {
        let delay = setup.cell.link.profile.conditions.dnsDelay
        return delay > .zero ? "dns-delay \(delay.text) set, unverified: lookups are not measured" : nil
    }

    /// The finding that faults of name lookups have no effect: over the proxy, a command gets an IP address.
    var unusedLookups: Finding? {
        let isNameGone = setup.cell.linkFaults.contains { $0.effect == .offline(.noName) }
        guard !setup.isInSandbox, unmeasuredLookups != nil || isNameGone, setup.cell.workload.getsAddressBehindProxy
        else { return nil }
        return Finding(
            .linkUnverified,
            "\(isNameGone ? "no-name" : "dns-delay") has no effect: over the proxy, {url} and {manifest} have an IP address, so the client looks up "
                + "no name; use --backend packet")
    }

    /// A measurement from before the attempts, or the attempt's own if that shows more.
    private func passive(_ measurement: LinkMeasurement) -> LinkMeasurement {
        guard measurement.property == .rate, measurement.set != nil,
            let direction = measurement.direction.flatMap({ Direction(rawValue: $0.rawValue) })
        else { return measurement }
        var passive = measurement
        if let (arrived, most) = worstRate(direction), arrived > most * (1 + measurement.toleranceRatio) {
            if allowed.varies { passive.set = most }
            passive.measured = arrived
            passive.method = "bytes that had arrived by some moment of the attempt, at the sockets"
        } else if measurement.measured == nil, let (rate, method) = steadyRate(direction) {
            // A low rate proves nothing, because a client or a host may be slower than the link.
            passive.measured = rate
            passive.method = method
            if passive.isWithinTolerance != true { passive = measurement }
        }
        return passive
    }

    /// The wire rate of the steady part of the attempt, in bits per second, and how it was measured.
    private func steadyRate(_ direction: Direction) -> (Double, String)? {
        let profile = setup.cell.link.profile
        let throughput = Throughput(
            samples: trace.crossed.meter.lazy.map { ($0.at.nanoseconds, $0.totals[direction]) },
            load: ProbeLoad(bytes: 0, isEven: profile.mayLose, fewestArrivals: 10),
            packet: ProbePacket(mtu: profile.conditions.mtu))
        guard let rate = throughput.wireRate, let window = throughput.window else { return nil }
        let text = Quantity(window.seconds, .seconds).rounded()
        return (rate, "\(throughput.arrivals) arrivals over \(text) of the attempt, at the sockets")
    }

    /// The most that the link may have let through.
    var allowed: AllowedLink {
        AllowedLink(setup.cell.link.profile, played: trace.playedFaults, linkStart: trace.linkStart)
    }

    /// The wire rate that the link must have had at least, and the rate allowed until then, in bits per second.
    ///
    /// They are of the moment with the highest ratio, for all that had arrived since the client started. Nil if there
    /// was no limit. A stretch in between proves nothing: after a lost packet, much is held back and then delivered at
    /// once.
    private func worstRate(_ direction: Direction) -> (arrived: Double, allowed: Double)? {
        let end = MeterSample(at: Instant(nanoseconds: trace.clientGone), totals: trace.crossed.payload)
        let allowed = allowed
        let start = Duration.nanoseconds(max(0, trace.clientStart - trace.linkStart))
        // The link may be slightly ahead in its profile.
        let lead = allowed.varies ? AllowedLink.lateness : .zero
        var worst: (arrived: Double, allowed: Double)?
        // A bucket is full at first.
        var (time, bits) = (start, Double(bucketBytes(direction)) * 8)
        for sample in trace.crossed.meter + [end] {
            // Less than a second counts as a second, because so short a time cannot be measured well.
            let elapsed = max(Duration.seconds(1), .nanoseconds(sample.at.nanoseconds - trace.clientStart))
            let until = max(time, start + elapsed + lead)
            bits += allowed.bits(direction, from: time, to: until)
            time = until
            guard bits.isFinite else { break }
            let payload = Double(sample.totals[direction])
            let arrived = payload * 8 * 1500 / Double(LossProcess.slotBytes)
            let (rate, most) = (arrived / elapsed.seconds, bits / elapsed.seconds)
            if rate * (worst?.allowed ?? 0) >= most * (worst?.arrived ?? 0) { worst = (rate, most) }
        }
        return worst
    }

    /// The largest burst that the link lets pass after a pause, in bytes, at any time.
    private func bucketBytes(_ direction: Direction) -> Int64 {
        guard setup.hasBuckets else { return 0 }
        return setup.cell.link.profile.allConditions.map { $0.bucketBytes(direction) }.max() ?? 0
    }

    /// The share of packets lost by the loss process in this attempt, which must be within the exact interval.
    private var lossMeasurements: [LinkMeasurement] {
        // A schedule names the lost packets, whatever their share is.
        guard setup.cell.schedule == nil, trace.crossed.isLossKnown else { return [] }
        let (allowed, end) = (allowed, Duration.nanoseconds(max(0, trace.clientGone - trace.linkStart)))
        return Direction.allCases.compactMap { direction in
            let side = LinkMeasurement.Direction(rawValue: direction.rawValue)
            let losses = allowed.losses(direction, until: end)
            let counters = direction == .downlink ? trace.crossed.model.downlink : trace.crossed.model.uplink
            let trials = counters.offeredPackets - counters.offlinePackets
            guard losses.upperBound > 0 else { return nil }
            guard trials > 0 else {
                return LinkMeasurement(
                    .loss, side, set: losses.upperBound, measured: nil, toleranceRatio: 0,
                    method: "unverified: no packet could be lost")
            }
            let lost = Double(counters.lostPackets) / Double(trials)
            // If the loss changes over time, only its lowest and highest mean can be compared with the whole attempt.
            let set = min(max(lost, losses.lowerBound), losses.upperBound)
            let plausible = LossCheck.plausible(probability: set, trials: trials)
            // The interval is asymmetric around the set value.
            let bound = Double(lost < set ? plausible.lowerBound : plausible.upperBound) / Double(trials)
            let bursts = allowed.hasBursts(direction) ? 4.0 : 1.0
            let isConstant = losses.lowerBound == losses.upperBound
            func text(_ ratio: Double) -> String { Quantity(ratio, .ratio).rounded() }
            let range =
                isConstant ? "" : ", with \(text(losses.lowerBound)) to \(text(losses.upperBound)) set over time"
            return LinkMeasurement(
                .loss, side, set: set, measured: lost, toleranceRatio: 0,
                toleranceFloor: (bound - set).magnitude * bursts, method: "decisions about \(trials) packets\(range)")
        }
    }
}

/// Tests whether a count of losses is plausible for a probability, by the exact binomial distribution.
enum LossCheck {
    /// The probability below which a count is considered impossible.
    static let significance = 1e-6

    /// The counts of `trials` that are neither too few nor too many for `probability`.
    static func plausible(probability: Double, trials: Int) -> ClosedRange<Int> {
        guard trials > 0, probability > 0 else { return 0...0 }
        guard probability < 1 else { return trials...trials }
        var cumulative = 0.0
        var lower = 0
        for count in 0...trials {
            cumulative += mass(count, probability, trials)
            if cumulative < significance { lower = count + 1 }
            if 1 - cumulative < significance { return min(lower, count)...count }
        }
        return min(lower, trials)...trials
    }

    private static func mass(_ count: Int, _ probability: Double, _ trials: Int) -> Double {
        let (k, n) = (Double(count), Double(trials))
        let ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
        return exp(ways + k * log(probability) + (n - k) * log1p(-probability))
    }
}
