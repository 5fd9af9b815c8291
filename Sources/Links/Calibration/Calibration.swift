package import LinkModel
import LinkProbe
import ProxyLink
package import Results
import Testbed

/// Measures a link before the attempts that use it, with a probe that does not depend on the model.
///
/// The probe is bounded: some echoes, and as many bytes as each direction carries in about a second, but at least a few
/// packets. If the profile changes, it measures the conditions at the start.
package struct Calibration: Sendable {
    package let profile: Profile
    /// The seed of the random decisions of the attempts.
    package let linkSeed: UInt64
    package let backend: LinkBackend
    package var links = LinkDependencies()

    /// The most probes of a row that a busy machine may have disturbed, or a loss may have cut short.
    private static let mostProbes = 3
    /// No probe begins later than this after the start of the first.
    private static let longest = Duration.seconds(15)

    package init(_ profile: Profile, seed: UInt64, by backend: LinkBackend = .proxy) {
        (self.profile, linkSeed, self.backend) = (profile, seed, backend)
    }

    /// The measured rates and delays with the set ones; rows that cannot be measured have a reason instead of a number.
    package func measurements() async -> [LinkMeasurement] {
        if let unprobed { return unverified(unprobed) }
        let start = ContinuousClock.now
        var rows: [LinkMeasurement] = []
        for number in 0..<Self.mostProbes {
            let open = rows.filter(isOpen)
            let isLate = start.duration(to: .now) > Self.longest
            guard !Task.isCancelled, rows.isEmpty || !open.isEmpty && !isLate else { break }
            do {
                let made = try await probe(number, by: plan(for: open))
                rows = rows.isEmpty ? made : zip(rows, made).map { $1.rank > $0.rank ? $1 : $0 }
            } catch {
                // A further probe would probably fail or take as long again.
                return rows.isEmpty ? unverified("\(error)") : rows
            }
        }
        return rows
    }

    /// Why the profile cannot be probed at all; nil if it can.
    var unprobed: String? {
        if conditions.offline != nil { return "the link is offline at first, so nothing crosses it" }
        if conditions.isHeld { return "the link is stalled at first, so nothing crosses it" }
        if profile.downlinkTrace != nil || profile.uplinkTrace != nil {
            return "the profile plays a trace, whose rate and delay change from packet to packet"
        }
        let isBlocked = Direction.allCases.contains { (conditions[$0].loss?.mean ?? 0) >= 1 }
        return isBlocked ? "the profile loses every packet, so nothing crosses the link" : nil
    }

    /// Whether another probe may improve a row.
    private func isOpen(_ row: LinkMeasurement) -> Bool {
        if row.isWithinTolerance == false { return true }
        guard row.set != nil, row.measured == nil else { return false }
        return row.property != .rate || Direction.allCases.contains { $0.side == row.direction && load($0) != nil }
    }

    private func probe(_ number: Int, by plan: ProbePlan) async throws -> [LinkMeasurement] {
        guard let result = try await probe(LinkSetup(profile: probed, seed: seed(number)), by: plan) else {
            return unverified("the link did not come up")
        }
        return CalibrationRows(profile: profile, plan: plan, result: result, backend: backend).rows
    }

    /// The plan of a probe: echoes, and a load for the given directions.
    func plan(loading loaded: [Direction]) -> ProbePlan {
        func part(_ direction: Direction) -> ProbeLoad? { loaded.contains(direction) ? load(direction) : nil }
        return .suited(
            download: part(.downlink), upload: part(.uplink), roundTrip: roundTrip, mayLose: profile.mayLose,
            packet: ProbePacket(mtu: profile.conditions.mtu))
    }

    /// The plan of a probe for the given rows only, or for all if there are none yet.
    private func plan(for open: [LinkMeasurement]) -> ProbePlan {
        guard !open.isEmpty else { return plan(loading: Direction.allCases) }
        let rates = open.filter { $0.property == .rate }
        var plan = plan(
            loading: Direction.allCases.filter { direction in
                rates.contains { $0.direction == direction.side }
            })
        if rates.count == open.count { plan.echoes = 1 }
        return plan
    }

    /// The load that shows the rate of a direction; nil if no rate is set, or no load would show it.
    private func load(_ direction: Direction) -> ProbeLoad? {
        guard let rate = conditions[direction].rate, CalibrationRows.hiding(profile, direction) == nil else {
            return nil
        }
        var load = ProbeLoad.suited(
            to: Double(rate.bitsPerSecond), roundTrip: roundTrip, mayLose: profile.mayLose,
            packet: ProbePacket(mtu: profile.conditions.mtu))
        if backend.provider.hasBuckets {
            // Enough to see the rate after the bucket's burst, but at most 10 s of traffic: the slowest links would
            // take too long.
            let bytesPerSecond = rate.bitsPerSecond / 8
            let more = min(5 * backend.provider.bucketBytes(conditions, direction), 10 * bytesPerSecond)
            load.bytes += Int(more)
            load.duration += .seconds(Double(more) / Double(max(1, bytesPerSecond)))
        }
        return load
    }

    /// The time of a small message and its answer.
    private var roundTrip: Duration {
        let bits = Double(ProbeResult.echoBytes + ProbePacket().headerBytes) * 8
        let transmission = Direction.allCases.compactMap { conditions[$0].rate }.map { bits / Double($0.bitsPerSecond) }
        return conditions.rtt + .seconds(transmission.reduce(0, +))
    }

    private var conditions: LinkConditions { profile.conditions(at: .zero) }

    /// The profile of the probed link: the conditions at the start, with the largest possible queues.
    ///
    /// A queue must not overflow: bytes held back behind a lost packet arrive at once later, and would look like a
    /// higher rate. Rate and delay are the profile's own.
    var probed: Profile {
        var conditions = conditions
        let room = backend.provider.mostQueueBytes
        for direction in Direction.allCases { conditions[direction].queue = .bytes(room) }
        return Profile(name: profile.name, conditions: conditions)
    }

    /// The seed of a probe, by its number.
    ///
    /// It differs from the client's seed and from those of other probes, so no two of them repeat the same losses.
    func seed(_ number: Int) -> UInt64 { ~linkSeed &- UInt64(number) }

    /// Rows without numbers, with the reason why.
    package func unverified(_ reason: String) -> [LinkMeasurement] {
        Direction.allCases.flatMap { direction -> [LinkMeasurement] in
            let conditions = conditions[direction]
            let delay = conditions.delay == .zero ? nil : conditions.delay.seconds
            return [
                LinkMeasurement(
                    .delay, direction.side, set: delay, measured: nil, toleranceRatio: 0.05,
                    method: "unverified: \(reason)"),
                LinkMeasurement(
                    .rate, direction.side, set: conditions.rate.map { Double($0.bitsPerSecond) }, measured: nil,
                    toleranceRatio: 0.03, method: "unverified: \(reason)"),
            ]
        }
    }

    /// Probes a link with this set-up, from socket to socket; nil if no link came up.
    func probe(_ setup: LinkSetup, by plan: ProbePlan) async throws -> ProbeResult? {
        var result: ProbeResult?
        guard let kind = backend.provider.sandbox else {
            try await withProbeServer { server in
                let target = Endpoint(host: server.host, port: server.port)
                let place = LinkPlace.loopback(RouteTable(routes: [target: target]))
                try await links.withLink(backend, setup, place) { _, entrance in
                    result = try await LinkProbe.measure(
                        through: .proxy(host: entrance.proxy?.host ?? "", port: entrance.proxy?.port ?? 0),
                        target: server, plan: plan)
                }
            }
            return result
        }
        var configuration = SandboxConfiguration()
        configuration.link = kind
        configuration.mtu = profile.conditions.mtu
        try await links.withSandbox(configuration) { sandbox in
            let listener = try await sandbox.listen(on: .host)
            try await withProbeServer(on: listener.descriptor.rawValue) { server in
                try await links.withLink(backend, setup, .sandbox(sandbox)) { _, _ in
                    result = try await LinkProbe.measure(
                        through: .sockets { try await sandbox.connectedSocket(to: server.port).rawValue },
                        target: server, plan: plan)
                }
            }
        }
        return result
    }
}

extension LinkMeasurement {
    /// How good a row is: 2 if the link is as set, 1 if it is not, 0 if unknown.
    fileprivate var rank: Int { isWithinTolerance.map { $0 ? 2 : 1 } ?? 0 }
}

extension Direction {
    /// The direction as results name it.
    package var side: LinkMeasurement.Direction { self == .downlink ? .downlink : .uplink }
}
