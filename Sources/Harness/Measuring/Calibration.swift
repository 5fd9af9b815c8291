import LinkModel
import LinkProbe
import ProxyLink
import Results
import Scenarios

/// Measures the link of a cell before its attempts, by a probe that knows nothing of the model.
struct Calibration {
    let cell: Cell
    var rig = Rig()

    /// Rates and delays, set against measured; without numbers where the link cannot be probed.
    func measurements() async -> [LinkMeasurement] {
        guard isProbed else { return unverified("the profile is offline, loses packets or changes over time") }
        do {
            let result = try await withProbeServer { server -> ProbeResult? in
                var result: ProbeResult?
                try await rig.withLink(configuration(to: server)) { link in
                    let door = link.forwardAddress
                    result = try await LinkProbe.measure(
                        through: .proxy(host: door?.host ?? "", port: door?.port ?? 0), target: server,
                        plan: plan)
                }
                return result
            }
            return result.map(measurements) ?? unverified("the link did not come up")
        } catch {
            return unverified("\(error)")
        }
    }

    /// Long enough for a window to grow and for what its growth lost to be sent again.
    private var plan: ProbePlan {
        let roundTrip = cell.link.profile.conditions.rtt
        var plan = ProbePlan.suited(to: slowest, roundTrip: roundTrip)
        plan.duration = min(max(plan.duration, roundTrip * 20 + .milliseconds(500)), .seconds(10))
        plan.deadline = max(plan.deadline, plan.duration * 2 + roundTrip * 14 + .seconds(2))
        return plan
    }

    /// Only a steady link without loss shows its rate within two seconds.
    private var isProbed: Bool {
        let profile = cell.link.profile
        let conditions = profile.conditions
        let lossless = Direction.allCases.allSatisfy { conditions[$0].loss == nil && conditions[$0].corrupt == .zero }
        return lossless && conditions.offline == nil && profile.changes.isEmpty && profile.stall == nil
            && profile.downlinkTrace == nil && profile.uplinkTrace == nil
    }

    private var slowest: Double? {
        Direction.allCases.compactMap { cell.link.profile.conditions[$0].rate?.bitsPerSecond }.min().map(Double.init)
    }

    private func configuration(to server: ProbeServer) -> ProxyLinkConfiguration {
        let target = Endpoint(host: server.host, port: server.port)
        // No queue that could overflow: what is kept back behind a lost packet comes at once later, and would be taken for
        // a higher rate. Rate and delay are the profile's own.
        var profile = cell.link.profile
        for direction in Direction.allCases { profile.conditions[direction].queue = .bytes(ByteCount(1 << 30)) }
        // A key space of its own: the probe's streams draw nothing that the client's would.
        return ProxyLinkConfiguration(
            profile: profile, seed: ~cell.link.seed, routes: RouteTable(routes: [target: target]))
    }

    private func measurements(_ result: ProbeResult) -> [LinkMeasurement] {
        Direction.allCases.flatMap { direction -> [LinkMeasurement] in
            let conditions = cell.link.profile.conditions[direction]
            let side: LinkMeasurement.Direction = direction == .downlink ? .downlink : .uplink
            let delay = direction == .downlink ? result.downlinkDelay : result.uplinkDelay
            let throughput = direction == .downlink ? result.download : result.upload
            // A small packet takes its own bits over the rate, and jitter is part of the setting.
            let transmission =
                conditions.rate.map { Double(ProbeResult.echoBytes + 52) * 8 / Double($0.bitsPerSecond) } ?? 0
            let slack = Self.timerSlack + transmission * 2 + (conditions.jitter?.amount.seconds ?? 0)
            return [
                LinkMeasurement(
                    .delay, side, set: conditions.delay.seconds, measured: delay.median.seconds,
                    toleranceRatio: 0.05, toleranceFloor: slack,
                    method: "\(delay.count) small messages before the attempts, one clock at both ends"),
                LinkMeasurement(
                    .rate, side, set: conditions.rate.map { Double($0.bitsPerSecond) },
                    measured: conditions.rate == nil ? nil : throughput.wireRate, toleranceRatio: 0.03,
                    method: throughput.unverified.map { "unverified: \($0)" }
                        ?? "arrivals at the far end before the attempts"),
            ]
        }
    }

    /// What timers and two processes that wake up cost at most on a machine that is not too busy.
    private static let timerSlack = 0.008

    private func unverified(_ reason: String) -> [LinkMeasurement] {
        Direction.allCases.flatMap { direction -> [LinkMeasurement] in
            let conditions = cell.link.profile.conditions[direction]
            let side: LinkMeasurement.Direction = direction == .downlink ? .downlink : .uplink
            return [
                LinkMeasurement(
                    .rate, side, set: conditions.rate.map { Double($0.bitsPerSecond) }, measured: nil,
                    toleranceRatio: 0.03, method: "unverified: \(reason)"),
                LinkMeasurement(
                    .delay, side, set: conditions.delay.seconds, measured: nil, toleranceRatio: 0.05,
                    method: "unverified: \(reason)"),
            ]
        }
    }
}
