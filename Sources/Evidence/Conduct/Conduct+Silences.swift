import LinkModel
import PackFormat
import ProcessGuard
import Results

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
}
