import LinkModel
import PackFormat
import ProcessGuard
import Results
import Scenarios

extension Conduct {
    /// When the client waited for the host and nothing arrived; nil if that, or its processor time, was not measured.
    func silences(_ fetches: [ConductRecord.Fetch]) -> [ConductRecord.Silence]? {
        guard let stretches = trace.exit?.stretches, let quiet = quietTimes(fetches) else { return nil }
        return quiet.prefix(ConductRecord.mostEntries).map { time in
            var silence = ConductRecord.Silence(
                from: time.lowerBound + Self.edge, until: time.upperBound - Self.edge)
            for stretch in stretches {
                let share = share(of: stretch, in: silence)
                // Several threads at once count as at most the length of the stretch.
                let length = trace.seconds(stretch.until) - trace.seconds(stretch.from)
                silence.ranSeconds += share * min(length, stretch.ran.seconds)
                silence.waitedSeconds += share * min(length, stretch.waited.seconds)
            }
            return silence
        }
    }

    /// The time left out at each end of a silence, in seconds.
    private static let edge = 0.5

    /// The share of a stretch that lies in a silence, from 0 to 1.
    private func share(of stretch: GuardedExit.Stretch, in silence: ConductRecord.Silence) -> Double {
        let (from, until) = (trace.seconds(stretch.from), trace.seconds(stretch.until))
        let both = min(until, silence.untilSeconds) - max(from, silence.fromSeconds)
        return until > from ? max(0, both) / (until - from) : 0
    }

    /// The times between two consecutive events of a download while an answer was due, in seconds.
    private func quietTimes(_ fetches: [ConductRecord.Fetch]) -> [Range<Double>]? {
        let arrivals = trace.link.arrivals.values.joined().map(trace.seconds)
        guard !arrivals.isEmpty else { return lateHeads(fetches) }
        let moments = (arrivals + fetches.flatMap { [$0.beganSeconds, $0.endedSeconds] }).sorted()
        return zip(moments, moments.dropFirst()).compactMap { from, until in
            let isDue = fetches.contains { $0.beganSeconds <= from && $0.endedSeconds >= until }
            return isDue && until - from >= ConductRecord.leastSilence ? from..<until : nil
        }
    }

    /// The silences if the link reports no bytes: the delay of a deliberately late head.
    ///
    /// Empty unless the host got exactly one request.
    private func lateHeads(_ fetches: [ConductRecord.Fetch]) -> [Range<Double>]? {
        guard fetches.count == 1, let fetch = fetches.first else { return nil }
        let delays = fetch.faults.compactMap { text -> Double? in
            guard case .lateHead(let delay)? = (try? HostFault(parsing: text))?.action else { return nil }
            return delay.seconds
        }
        let until = min(fetch.beganSeconds + (delays.max() ?? 0), fetch.endedSeconds)
        return until - fetch.beganSeconds >= ConductRecord.leastSilence ? [fetch.beganSeconds..<until] : []
    }

    /// How the client used the host's IPv4 and IPv6 addresses.
    ///
    /// Nil if the scenario does not change them, or if the link did not report the targets of connections.
    var addresses: [ConductRecord.Address]? {
        guard setup.cell.addresses != .usual, trace.link.events.contains(where: \.isFlow) else { return nil }
        return ConductRecord.Address.Family.allCases.map { family in
            ConductRecord.Address(
                family, setup.cell.addresses[family], lookups: lookups(of: family), connectedAt: connections(by: family)
            )
        }
    }

    /// When connections of a family began, in seconds since the client's start, without those to the resolver.
    private func connections(by family: ConductRecord.Address.Family) -> [Double] {
        trace.link.events.compactMap { event in
            guard case .flow(Self.tcp, let target, _, _) = event.kind, !target.hasSuffix(Self.resolver),
                target.hasPrefix("[") == (family == .ipv6), event.at.nanoseconds >= trace.clientStart
            else { return nil }
            return trace.seconds(event.at.nanoseconds)
        }
    }

    /// How often an address of a family was looked up; nil if a lookup used TCP, whose questions are not read.
    private func lookups(of family: ConductRecord.Address.Family) -> Int? {
        var count = 0
        for event in trace.link.events {
            switch event.kind {
            case .flow(Self.tcp, let target, _, _) where target.hasSuffix(Self.resolver): return nil
            case .lookup(let type) where type == (family == .ipv4 ? 1 : 28): count += 1
            default: break
            }
        }
        return count
    }

    /// The IP protocol number of TCP (RFC 9293).
    private static let tcp: UInt8 = 6
    /// The port of the resolver.
    private static let resolver = ":53"
}
