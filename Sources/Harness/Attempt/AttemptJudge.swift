import LinkModel
import PackFormat
import ProcessGuard
import ProxyLink
import Results
import Scenarios
import Witness

/// Turns what was seen of an attempt into its record.
struct AttemptJudge {
    let context: CellContext
    let number: Int
    let trace: AttemptTrace
    var startedAt: Int64 = 0
    var noise: Noise?
    var troubles: [Finding] = []

    init(context: CellContext, number: Int, trace: AttemptTrace) {
        self.context = context
        self.number = number
        self.trace = trace
    }

    func record() -> AttemptRecord {
        let observations = self.observations
        let isNoisy = noise.map(context.rig.noiseLimits.areExceeded) ?? false
        var record = AttemptRecord(
            number: number, counts: !isNoisy, seed: context.seed(attempt: number), startedNanoseconds: startedAt,
            durationSeconds: Double(MonotonicClock.now - startedAt) / 1e9, samples: observations.samples(),
            ideal: ideal(observations), requests: trace.outcomes(of: context.cell.workload), link: measurements,
            bytes: trace.byteAccount(isHostOurs: context.content != nil), clientEnd: trace.end,
            clientOutput: trace.complaints.isEmpty ? nil : trace.complaints, noise: noise?.record)
        record.findings = troubles
        if troubles.isEmpty {
            record.findings += trace.findings(context.cell.workload, program: program)
            record.findings += ContentCheck(context: context, trace: trace).findings()
        }
        // What was said to be there and was not never became available, however soon that was said.
        if record.findings.contains(where: { $0.attribution == .contentIncomplete }) {
            record.samples[.timeToAvailable] = .neverCame
        }
        record.findings += observations.findings()
        if let step = noise?.clockTrouble { record.findings.append(Finding(.clockStepped, step)) }
        if trace.unplayedFaults > 0 {
            let text = "\(trace.unplayedFaults) of the link's faults never met their moment"
            // A client that failed before is judged by how it failed.
            if record.requests.allSatisfy({ $0.result == .available }) {
                record.findings.append(Finding(.faultNotPlayed, text))
            } else {
                record.notes.append(text)
            }
        }
        if isNoisy { record.notes.append("the machine was too busy; the attempt is repeated and does not count") }
        return record
    }

    private var program: String {
        switch context.cell.workload {
        case .requests: "headwind-client"
        case .command(let command): command.arguments { "{\($0.rawValue)}" }.first ?? ""
        }
    }

    private var observations: Observations {
        Observations(
            requests: trace.observations(context), fetches: context.content == nil ? nil : trace.fetches,
            deliveries: trace.deliveries,
            wireBytes: trace.counters.link.downlink.wireBytes + trace.counters.link.uplink.wireBytes,
            diskPeakBytes: diskPeak, memoryPeakBytes: trace.exit?.maxResidentBytes,
            cpuSeconds: trace.exit?.cpuTime.seconds)
    }

    /// The most that was stored; a built-in client that tells of no storing stored nothing.
    private var diskPeak: Int64? {
        trace.client.mostStored ?? (trace.client.exitStatus == nil ? nil : 0)
    }

    private func ideal(_ observations: Observations) -> MetricValues {
        guard let begin = observations.requests.map(\.beganAt).min(), trace.linkStart > 0 else { return [:] }
        let delay = Duration.nanoseconds(max(0, begin - trace.linkStart))
        return IdealTimes(context: context, connections: trace.link.mostOpen, delay: delay).values()
    }

    /// What the link showed before the attempts, and in this one.
    private var measurements: [LinkMeasurement] {
        context.calibration.map { measurement in
            guard measurement.property == .rate, let set = measurement.set, let direction = measurement.direction,
                let least = leastRate(direction), least > set * (1 + measurement.toleranceRatio)
            else { return measurement }
            var passive = measurement
            passive.measured = least
            passive.method = "what had arrived by some moment of the attempt, at the sockets"
            return passive
        } + lossMeasurements
    }

    /// Wire bits per second that the link must have had at least, for what had arrived since the client started.
    ///
    /// A stretch in between says nothing: behind a lost packet much is kept back, and then delivered at once.
    private func leastRate(_ direction: LinkMeasurement.Direction) -> Double? {
        let counters = trace.counters.payload
        let end = MeterSample(
            at: Instant(nanoseconds: trace.clientEnd), downlink: counters.downlink, uplink: counters.uplink)
        let payload = (trace.meter + [end]).map { sample in
            // What took less than a second counts as a second: so short a time could not be measured well.
            let elapsed = max(1, Double(sample.at.nanoseconds - trace.clientStart) / 1e9)
            return Double(direction == .downlink ? sample.downlink : sample.uplink) * 8 / elapsed
        }
        return payload.max().map { $0 * 1500 / Double(LossProcess.slotBytes) }
    }

    /// The share of packets that the loss process took in this attempt, which the exact interval must hold.
    private var lossMeasurements: [LinkMeasurement] {
        Direction.allCases.compactMap { direction in
            guard let loss = context.cell.link.profile.conditions[direction].loss else { return nil }
            let counters = direction == .downlink ? trace.counters.link.downlink : trace.counters.link.uplink
            let trials = counters.offeredPackets - counters.offlinePackets
            guard trials > 0 else { return nil }
            let plausible = LossCheck.plausible(probability: loss.mean, trials: trials)
            let lost = Double(counters.lostPackets) / Double(trials)
            // The interval is lopsided, and what is set is not in its middle.
            let end = Double(lost < loss.mean ? plausible.lowerBound : plausible.upperBound) / Double(trials)
            let bursts = if case .gilbertElliott = loss { 4.0 } else { 1.0 }
            return LinkMeasurement(
                .loss, direction == .downlink ? .downlink : .uplink, set: loss.mean,
                measured: lost, toleranceRatio: 0,
                toleranceFloor: (end - loss.mean).magnitude * bursts, method: "decisions about \(trials) packets")
        }
    }
}
