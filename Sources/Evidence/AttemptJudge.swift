package import LinkModel
import PackFormat
import ProcessGuard
package import Results
import Scenarios
package import Witness

/// Makes the record of an attempt from its trace.
package struct AttemptJudge {
    let trace: AttemptTrace
    let setup: AttemptSetup
    /// How much the machine disturbed the attempt; nil if that was not measured.
    package var noise: Noise?
    /// The faults that the attempt met, scripted or random; nil if they were not recorded.
    package var schedule: FaultSchedule?
    /// What prevented a complete attempt.
    package var troubles: [Finding] = []

    package init(_ trace: AttemptTrace, _ setup: AttemptSetup) { (self.trace, self.setup) = (trace, setup) }

    /// The record of an attempt from `start` to `end`, in nanoseconds of CLOCK_MONOTONIC.
    package func record(from start: Int64, to end: Int64) -> AttemptRecord {
        let observations = self.observations
        let ideal = ideal(observations)
        let isStuck = trace.exit?.left.contains { $0.state == "D" } ?? false
        // A late wake-up does not excuse a client that runs long after it should have ended.
        let limits = trace.exit?.timedOut == true ? setup.noiseLimits.forHangs : setup.noiseLimits
        let excess = noise.flatMap(limits.excess)
        let isNoisy = isStuck || excess != nil
        var record = AttemptRecord(number: setup.number, seed: setup.seed)
        record.counts = !isNoisy
        record.startedNanoseconds = start
        record.durationSeconds = Double(end - start) / 1e9
        record.samples = observations.samples()
        record.ideal = ideal?.values() ?? [:]
        record.least = ideal?.least()
        record.requests = requests.outcomes
        record.link = link.measurements
        record.bytes = transfers.account(
            isHostOurs: setup.content != nil,
            stored: Set(setup.content.map { Array(conduct.storings($0).keys) } ?? []))
        record.clientEnd = check.end
        record.clientOutput = trace.client.complaints.isEmpty ? nil : trace.client.complaints
        record.conduct = conduct.record()
        record.noise = noise?.record
        record.schedule = schedule.map { faults.facts(of: $0, setup) }
        record.answers = requests.answers
        record.findings = troubles
        if troubles.isEmpty {
            record.findings += check.findings()
            if let trouble = CommandOutcome(trace: trace).shellTrouble(setup.cell) { record.findings.append(trouble) }
            record.findings += check.contentFindings + check.linkUseFindings
            record.findings += record.conduct?.redirectFindings ?? []
        }
        // Content that the client reported, but does not have, never became available, however early the report was.
        if record.findings.contains(where: { $0.attribution == .contentIncomplete }) {
            record.samples[.timeToAvailable] = .neverCame
        }
        record.findings += observations.findings()
        record.findings += [link.unverified, link.unusedLookups].compactMap { $0 }
        if let unmeasuredLookups = link.unmeasuredLookups { record.notes.append(unmeasuredLookups) }
        if let finding = trace.scratchFinding { record.findings.append(finding) }
        if let step = noise?.clockTrouble { record.findings.append(Finding(.clockStepped, step)) }
        let misplaced = trace.client.misplacedLines
        if misplaced > 0 {
            let times = misplaced == 1 ? "has a time" : "have times"
            record.notes.append("\(misplaced) of the client's event lines \(times) outside its run")
        }
        noteUnplayed(in: &record)
        record.notes += check.survivorNotes
        if setup.wantsCapture { record.notes += trace.crossed.captureTrouble.map { [$0] } ?? [] }
        if trace.crossed.unseenPackets > 0 {
            record.notes.append(
                "\(trace.crossed.unseenPackets) packets crossed the link unseen: the machine was too busy")
        }
        if isNoisy {
            // A process that the kernel blocks cannot end when asked.
            let busy = "the machine was too busy" + (excess.map { ": \($0)" } ?? "")
            let why = isStuck ? "the client was blocked in the kernel and could not end" : busy
            record.notes.append("\(why); the attempt is repeated and does not count")
        }
        return record
    }

    private var faults: FaultLog { FaultLog(trace) }
    private var check: TraceCheck { TraceCheck(trace: trace, setup: setup) }
    private var conduct: Conduct { Conduct(trace: trace, setup: setup) }
    private var link: LinkReading { LinkReading(trace: trace, setup: setup) }
    private var requests: RequestReading { RequestReading(trace, setup) }
    private var transfers: Transfers { Transfers(trace) }

    private var observations: Observations {
        let (transfers, isHostOurs) = (transfers, setup.content != nil)
        var observations = Observations(requests: requests.observations)
        if isHostOurs {
            observations.fetches = transfers.fetches
            observations.connections = trace.host.connections
            observations.answers = answers
        }
        observations.flows = flows
        observations.deliveries = transfers.deliveries
        observations.wireBytes = trace.crossed.model.downlink.wireBytes + trace.crossed.model.uplink.wireBytes
        observations.diskPeakBytes = reported(trace.client.mostStored)
        observations.overpurgedBytes = reported(trace.client.overpurged)
        observations.memoryPeakBytes = trace.exit?.maxResidentBytes
        observations.cpuSeconds = trace.exit?.cpuTime.seconds
        observations.life = trace.client.observation(of: setup.cell.workload)
        return observations
    }

    /// When the heads of the host's answers reached the client, in order.
    ///
    /// Leaves out an answer on a connection of the link that delivered nothing after it.
    private var answers: [Int64] {
        let arrivals = trace.link.arrivals
        var next: [Int: Int] = [:]
        return trace.host.events.compactMap { event in
            guard case .head = event.kind else { return nil }
            guard let connection = trace.linkConnection(of: event.connection) else { return event.nanoseconds }
            let known = arrivals[connection] ?? []
            // Both lists are in order of time.
            let place = known[(next[connection] ?? 0)...].firstIndex { $0 >= event.nanoseconds }
            next[connection] = place ?? known.endIndex
            return place.map { known[$0] }
        }
        .sorted()
    }

    /// When connections and lookups reached the link; nil if none was seen: the kernel backend reports none.
    private var flows: [Int64]? {
        let flows = trace.link.events.filter(\.isFlow).map(\.at.nanoseconds)
        return flows.isEmpty ? nil : flows
    }

    /// A number of bytes as the client reports it; 0 if the client sent its end event, but reports none.
    private func reported(_ bytes: Int64?) -> Int64? { bytes ?? (trace.client.exitStatus == nil ? nil : 0) }

    private func ideal(_ observations: Observations) -> IdealTimes? {
        guard let begin = observations.requests.map(\.beganAt).min(), trace.linkStart > 0 else { return nil }
        let delay = Duration.nanoseconds(max(0, begin - trace.linkStart))
        // A fault can improve the link, and so make a perfect client faster.
        let length = Duration.nanoseconds(max(0, trace.clientGone - trace.linkStart))
        guard let profile = link.allowed.profile(until: length) else { return nil }
        return IdealTimes(
            setup: setup, connections: trace.link.mostOpen, delay: delay, payload: trace.crossed.payload,
            profile: profile)
    }
}

extension AttemptJudge {
    /// Counts and names the faults that never happened.
    private func noteUnplayed(in record: inout AttemptRecord) {
        let unplayed = faults.unplayed(setup.cell.hostFaults, content: setup.content)
        let isListed = setup.cell.schedule != nil
        // A client that meets the expectations need not have met an outage.
        let early = isListed || isAsExpected(record) ? [] : faults.earlyOutages
        record.playedFaults =
            setup.cell.hostFaults.count - unplayed.count + trace.playedFaults.count - early.count
        record.unplayedFaults = text(unplayed, ofLink: isListed ? [] : trace.unplayedFaults, early: early)
        if let text = record.unplayedFaults {
            // A client that failed earlier is judged by that failure.
            if record.requests.allSatisfy({ $0.result == .available }) {
                record.findings.append(Finding(.faultNotPlayed, text))
            } else {
                record.notes.append(text)
            }
        }
        // Another client, or the same one in another attempt, need not meet every listed fault.
        if let unmet = record.schedule?.unmet, unmet > 0 {
            record.notes.append("\(unmet) of the schedule's faults never happened")
        }
    }

    /// The most faults of the link that are named one by one.
    private static let mostNamed = 3

    private func isAsExpected(_ record: AttemptRecord) -> Bool {
        setup.cell.expectations.requests.allSatisfy { expected in
            record.requests.allSatisfy { expected.isMet(by: $0) }
        }
    }

    /// A sentence about the scenario's own faults that never happened; nil if all did.
    private func text(_ unplayed: [HostFault], ofLink: [LinkFault], early: [OfflineKind]) -> String? {
        var parts: [String] = []
        parts += ofLink.prefix(Self.mostNamed).map {
            "the fault '\(FaultSchedule.Line.link($0.change).text)' never happened"
        }
        let unnamed = ofLink.count - Self.mostNamed
        if unnamed > 0 { parts.append("\(unnamed) more of the link's faults never happened") }
        parts += unplayed.map { "the host's fault '\($0.text)' affected no answer" }
        parts += early.map { "the outage '\($0.rawValue)' was over before the client asked for anything" }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
