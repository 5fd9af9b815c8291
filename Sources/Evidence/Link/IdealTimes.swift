import LinkModel
import LinkProbe
import PackFormat
import Results
import Scenarios

/// The times that a perfect client would need for the same bytes over the same link.
struct IdealTimes {
    let setup: AttemptSetup
    /// The most connections that the client had open at once; each starts with its own window.
    let connections: Int
    /// How long the link had been up when the first request began.
    let delay: Duration
    /// The payload bytes that crossed the link in the attempt; nil if unknown.
    ///
    /// They limit the assumed sizes of a request and of an answer's head.
    var payload: PerDirection<Int64>?
    /// The best link of the attempt, if faults improved it; nil for the cell's own profile.
    var profile: Profile?

    /// The ideal of each metric that has one; empty if the workload has no ``transfer``.
    func values() -> MetricValues {
        guard let transfer, let times = transfer.times(over: profile ?? setup.cell.link.profile, after: delay) else {
            return [:]
        }
        let sum = Double(transfer.bodies.reduce(0, +))
        return MetricValues([
            .timeToFirstByte: times.firstByte.seconds, .timeToAvailable: times.complete.seconds,
            .throughput: sum * 8 / times.complete.seconds,
        ])
    }

    /// The transfer of the workload; nil if it waits by itself, gives up, or requests nothing.
    var transfer: IdealTransfer? {
        guard let bodies, bodies.contains(where: { $0 > 0 }) else { return nil }
        var transfer = IdealTransfer(
            bodies: bodies, connections: max(1, connections), looksUpName: usesName,
            exchange: setup.cell.tls ? IdealTransfer.tlsExchange : [])
        if let payload {
            let heads = payload.downlink - bodies.reduce(0, +)
            transfer.requestBytes = transfer.requestBytes.clamped(to: payload.uplink / Int64(bodies.count))
            transfer.headBytes = transfer.headBytes.clamped(to: heads / Int64(bodies.count))
        }
        return transfer
    }

    /// Whether the client looks up the host's name.
    ///
    /// All do, except a command without a sandbox, whose `{url}` has an address of this machine.
    private var usesName: Bool {
        if case .requests = setup.cell.workload { true } else { setup.isInSandbox }
    }

    /// The bytes of each round of requests, one after the other.
    private var bodies: [Int64]? {
        guard let content = setup.content else { return nil }
        switch setup.cell.workload {
        case .command: return setup.cell.commandPack(in: content).map { [$0.size - setup.cell.partBytes(of: $0)] }
        case .requests(let steps): return bodies(of: steps, content)
        }
    }

    private func bodies(of steps: [Workload.Step], _ content: PreparedContent) -> [Int64]? {
        var held: Set<String> = []
        var rounds: [Int64] = []
        var open: Int64 = 0
        var asked: [String: [String]] = [:]
        func missing(_ tags: [String]) -> Int64? {
            content.packs(tags: tags)?.filter { held.insert($0.identifier).inserted }.map(\.size).reduce(0, +)
        }
        for step in steps {
            switch step {
            case .end, .setPriority: continue
            case .wait:
                rounds.append(open)
                open = 0
            case .request(let request) where request.isConditional:
                asked[request.id] = request.tags
            case .begin(let id):
                guard let bytes = asked[id].flatMap(missing) else { return nil }
                rounds.append(open + bytes)
                open = 0
            case .request(let request):
                guard let bytes = missing(request.tags) else { return nil }
                open += bytes
                guard !request.isBackground else { continue }
                rounds.append(open)
                open = 0
            default: return nil
            }
        }
        return (rounds + [open]).filter { $0 > 0 }
    }
}

extension AttemptSetup {
    /// The time that a perfect client takes for the workload over the cell's link, from its start.
    ///
    /// Nil if the workload waits by itself, gives up, or requests nothing, or if its requests are unknown.
    package var idealTime: Duration? {
        let times = IdealTimes(setup: self, connections: Self.mostConnections, delay: .zero)
        return times.transfer?.times(over: cell.link.profile)?.complete
    }

    /// More connections than clients open to one host at once.
    private static let mostConnections = 16
}

extension Int {
    /// The smaller of the number and `most`, but at least 1.
    fileprivate func clamped(to most: Int64) -> Int { Swift.max(1, Swift.min(self, Int(clamping: most))) }
}

extension IdealTimes {
    /// The shortest possible times over a link whose buckets let a burst pass after each pause; nil over other links.
    ///
    /// A transfer that pauses is at best as fast as over a link without a rate. One that does not pause gains one
    /// bucket.
    func least() -> MetricValues? {
        guard setup.hasBuckets, let transfer else { return nil }
        let profile = profile ?? setup.cell.link.profile
        var open = profile
        open.conditions = open.conditions.withoutRates
        for index in open.changes.indices {
            open.changes[index].conditions = open.changes[index].conditions.withoutRates
        }
        guard let pausing = transfer.times(over: open, after: delay) else { return nil }
        let all = profile.allConditions
        let rates = all.compactMap(\.downlink.rate?.bitsPerSecond)
        guard rates.count == all.count, let rate = rates.max() else { return values(pausing.complete.seconds) }
        let bucket = all.map { $0.bucketBytes(.downlink) }.max() ?? 0
        let mtu = profile.conditions.mtu
        let segments = Double(mtu) / Double(ProbePacket(mtu: mtu).segmentBytes)
        let wire = Double(transfer.bodies.reduce(0, +)) * segments
        return values(max(pausing.complete.seconds, (wire - Double(bucket)) * 8 / Double(rate)))
    }

    private func values(_ seconds: Double) -> MetricValues { MetricValues([.timeToAvailable: seconds]) }
}

extension LinkConditions {
    fileprivate var withoutRates: LinkConditions {
        var conditions = self
        for direction in Direction.allCases { conditions[direction].rate = nil }
        return conditions
    }
}
