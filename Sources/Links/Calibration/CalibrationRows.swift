import LinkModel
import LinkProbe
import Results

/// Compares the result of a probe with the profile.
struct CalibrationRows {
    let profile: Profile
    let plan: ProbePlan
    let result: ProbeResult
    var backend = LinkBackend.proxy

    /// The most time, in seconds, that timers and the wake-up of two processes take on a machine that is not too busy.
    private static let timerSlack = 0.008
    /// A bucket that takes more than this share of the measured time hides the rate.
    private static let mostOfBucket = 0.25
    private static let acknowledgementBytes = 52
    /// Acknowledgements that need more than this share of their direction's rate slow down the data.
    private static let mostOfReturn = 0.8

    /// The rows for delay and rate of the downlink, then of the uplink.
    var rows: [LinkMeasurement] { Direction.allCases.flatMap { [delay($0), rate($0)] } }

    /// Why no load can show the rate of a direction; nil if one can.
    static func hiding(_ profile: Profile, _ direction: Direction) -> String? {
        let conditions = profile.conditions(at: .zero)
        let other = direction == .downlink ? Direction.uplink : .downlink
        if let rate = conditions[direction].rate, let back = conditions[other].rate {
            // One acknowledgement for two segments (RFC 9293 §3.8.6.3): an IPv4 header, and a TCP header with time
            // stamps.
            let needed = Double(rate.bitsPerSecond) * Double(acknowledgementBytes) / Double(2 * profile.conditions.mtu)
            if needed > Double(back.bitsPerSecond) * mostOfReturn {
                return "its acknowledgements need more than the \(other)'s rate"
            }
        }
        guard profile.mayLose, let jitter = conditions[direction].jitter else { return nil }
        return "the profile loses packets, so one connection does not fill it; its delay varies by up to "
            + "\(jitter.amount.text), so a short measurement does not show the rate"
    }

    private func delay(_ direction: Direction) -> LinkMeasurement {
        let conditions = profile.conditions(at: .zero)[direction]
        let delay = direction == .downlink ? result.downlinkDelay : result.uplinkDelay
        // A lost message arrives a retransmission later. If the delay does not vary, the smallest one is the link's
        // own.
        let isLeast = profile.mayLose && conditions.jitter == nil
        // Allow for the transmission time of a small packet, and for the set jitter.
        let bits = Double(ProbeResult.echoBytes + plan.packet.headerBytes) * 8
        let transmission = conditions.rate.map { bits / Double($0.bitsPerSecond) } ?? 0
        let slack = Self.timerSlack + transmission * 2 + (conditions.jitter?.amount.seconds ?? 0)
        return LinkMeasurement(
            .delay, direction.side, set: conditions.delay.seconds,
            measured: (isLeast ? delay.minimum : delay.median).seconds, toleranceRatio: 0.05, toleranceFloor: slack,
            method: "\(isLeast ? "least" : "median") of \(delay.count) small messages \(moment), one clock at both ends"
        )
    }

    private func rate(_ direction: Direction) -> LinkMeasurement {
        let conditions = profile.conditions(at: .zero)[direction]
        let set = conditions.rate.map { Double($0.bitsPerSecond) }
        let throughput = direction == .downlink ? result.download : result.upload
        func row(_ measured: Double?, _ uncertainty: Double, _ method: String) -> LinkMeasurement {
            LinkMeasurement(
                .rate, direction.side, set: set, measured: measured, toleranceRatio: 0.03 + uncertainty, method: method)
        }
        guard let set, let load = direction == .downlink ? plan.download : plan.upload else {
            let reason = set == nil ? "no rate is set" : Self.hiding(profile, direction) ?? "no load was sent"
            return row(nil, 0, "unverified: \(reason)")
        }
        // How long a burst from the bucket would take at the rate, in seconds.
        let bucket = Double(backend.provider.bucketBytes(profile.conditions(at: .zero), direction)) * 8 / set
        if let rate = throughput.wireRate, let timing = throughput.uncertainty, let window = throughput.window {
            // Jitter may delay each arrival by its whole amount.
            var uncertainty = timing + (conditions.jitter?.amount ?? .zero).seconds * 2 / window.seconds
            // A window that begins with a full bucket contains its bytes in addition to the rate.
            if rate > set * (1 + 0.03 + uncertainty) {
                uncertainty += bucket / window.seconds
                guard bucket / window.seconds <= Self.mostOfBucket else {
                    return row(
                        nil, 0,
                        "unverified: the kernel's token bucket passed a burst, and too little was sent to see the rate")
                }
            }
            let percent = Quantity(uncertainty, .ratio).rounded()
            let text = "\(throughput.arrivals) arrivals over \(window.rounded) at the far end \(moment), ±\(percent)"
            return row(rate, uncertainty, text)
        }
        // Too few arrivals for a window may still show that the link is too fast.
        if throughput.bytes >= load.bytes, let mean = throughput.meanWireRate,
            mean * (1 - (Throughput.timing.seconds + bucket) / throughput.duration.seconds) > set * 1.03
        {
            return row(mean, 0, "\(throughput.bytes) bytes over \(throughput.duration.rounded) \(moment)")
        }
        let reason = throughput.unverified ?? ""
        return row(nil, 0, "unverified: " + (profile.mayLose ? "the profile loses packets, and \(reason)" : reason))
    }

    private var moment: String {
        profile.changes.isEmpty && profile.stall == nil
            ? "before the attempts" : "before the attempts, under the first conditions"
    }
}

extension Duration {
    fileprivate var rounded: String { Quantity(seconds, .seconds).rounded() }
}
