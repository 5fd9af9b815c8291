import LinkModel
import LinkProbe
import Results
import Scenarios

extension AttemptJudge {
    /// What the link showed before the attempts, and in this one.
    var measurements: [LinkMeasurement] { context.calibration.map(passive) + lossMeasurements }

    /// That nothing of what is set could be measured, so that the link may have been any; nil where something could.
    var unverifiedLink: Finding? {
        let set = measurements.filter { $0.set != nil && $0.set != 0 }
        guard let first = set.first, set.allSatisfy({ $0.measured == nil }) else { return nil }
        return Finding(.linkUnverified, "\(first.text), \(first.method)")
    }

    /// What is to be said of a delay of name lookups, which nothing measures; nil where none is set.
    var unmeasuredLookups: String? {
        let delay = context.cell.link.profile.conditions.dnsDelay
        return delay > .zero ? "dns-delay \(delay.text) set, unverified: lookups are not measured" : nil
    }

    /// That a delay of name lookups concerns nobody: by the proxy, what a command is told is an address.
    var unusedLookups: Finding? {
        guard context.backend == .proxy, unmeasuredLookups != nil, case .command(let command) = context.cell.workload,
            !command.placeholders.isDisjoint(with: [.url, .manifest]), !command.placeholders.contains(.proxy)
        else { return nil }
        return Finding(
            .linkUnverified,
            "dns-delay is not in force: by the proxy, {url} and {manifest} are addresses of this machine, and no name is "
                + "looked up; run it with --backend packet")
    }

    /// A measurement from before the attempts, or what the attempt itself shows where that says more.
    private func passive(_ measurement: LinkMeasurement) -> LinkMeasurement {
        guard measurement.property == .rate, let set = measurement.set, let direction = measurement.direction else {
            return measurement
        }
        var passive = measurement
        if let least = leastRate(direction), least > set * (1 + measurement.toleranceRatio) {
            passive.measured = least
            passive.method = "what had arrived by some moment of the attempt, at the sockets"
        } else if measurement.measured == nil, let (rate, method) = steadyRate(direction) {
            // A client or a host may be slower than the link: too little says nothing about it.
            passive.measured = rate
            passive.method = method
            if passive.isWithinTolerance != true { passive = measurement }
        }
        return passive
    }

    /// Wire bits per second of the steady part of the attempt, and how they were measured.
    private func steadyRate(_ direction: LinkMeasurement.Direction) -> (Double, String)? {
        let profile = context.cell.link.profile
        let throughput = Throughput(
            samples: trace.crossed.meter.lazy.map {
                ($0.at.nanoseconds, direction == .downlink ? $0.downlink : $0.uplink)
            },
            load: ProbeLoad(
                bytes: 0, isEven: profile.mayLose, fewestArrivals: 10),
            packet: profile.packet)
        guard let rate = throughput.wireRate, let window = throughput.window else { return nil }
        let text = Quantity(window.seconds, .seconds).rounded()
        return (rate, "\(throughput.arrivals) arrivals over \(text) of the attempt, at the sockets")
    }

    /// Wire bits per second that the link must have had at least, for what had arrived since the client started.
    ///
    /// A stretch in between says nothing: behind a lost packet much is kept back, and then delivered at once.
    private func leastRate(_ direction: LinkMeasurement.Direction) -> Double? {
        let counters = trace.crossed.payload
        let end = MeterPoint(
            at: Instant(nanoseconds: trace.clientGone), downlink: counters.downlink, uplink: counters.uplink)
        let payload = (trace.crossed.meter + [end]).map { sample in
            // What took less than a second counts as a second: so short a time could not be measured well.
            let elapsed = max(1, Double(sample.at.nanoseconds - trace.clientStart) / 1e9)
            return Double(direction == .downlink ? sample.downlink : sample.uplink) * 8 / elapsed
        }
        return payload.max().map { $0 * 1500 / Double(LossProcess.slotBytes) }
    }

    /// The share of packets that the loss process took in this attempt, which the exact interval must hold.
    private var lossMeasurements: [LinkMeasurement] {
        // What a schedule names is lost, whatever share that is.
        guard context.cell.schedule == nil else { return [] }
        return Direction.allCases.compactMap { direction in
            guard let loss = context.cell.link.profile.conditions[direction].loss else { return nil }
            let counters = direction == .downlink ? trace.crossed.model.downlink : trace.crossed.model.uplink
            let trials = counters.offeredPackets - counters.offlinePackets
            guard trials > 0 else { return nil }
            let plausible = LossCheck.plausible(probability: loss.mean, trials: trials)
            let lost = Double(counters.lostPackets) / Double(trials)
            // The interval is lopsided, and what is set is not in its middle.
            let end = Double(lost < loss.mean ? plausible.lowerBound : plausible.upperBound) / Double(trials)
            let bursts = if case .gilbertElliott = loss { 4.0 } else { 1.0 }
            return LinkMeasurement(
                .loss, direction.side, set: loss.mean, measured: lost, toleranceRatio: 0,
                toleranceFloor: (end - loss.mean).magnitude * bursts, method: "decisions about \(trials) packets")
        }
    }
}
