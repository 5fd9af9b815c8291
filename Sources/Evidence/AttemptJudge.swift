package import LinkModel
import PackFormat
import ProcessGuard
package import Results
import Scenarios
package import Witness

/// Turns what was seen of an attempt into its record.
package struct AttemptJudge {
    let trace: AttemptTrace
    let setup: AttemptSetup
    /// How much the machine disturbed the attempt; nil where that was not measured.
    package var noise: Noise?
    /// What went wrong in the attempt, on purpose or by chance.
    package var schedule: FaultSchedule?
    /// What kept the attempt from being whole.
    package var troubles: [Finding] = []

    package init(_ trace: AttemptTrace, _ setup: AttemptSetup) { (self.trace, self.setup) = (trace, setup) }

    /// The record of an attempt that took this time, in nanoseconds of CLOCK_MONOTONIC.
    package func record(from start: Int64, to end: Int64) -> AttemptRecord {
        let observations = self.observations
        let ideal = ideal(observations)
        let isStuck = trace.exit?.left.contains { $0.state == "D" } ?? false
        // A late wake-up is no reason for a client that is still there long after it should have ended.
        let limits = trace.exit?.timedOut == true ? setup.noiseLimits.forHangs : setup.noiseLimits
        let excess = noise.flatMap(limits.excess)
        let isNoisy = isStuck || excess != nil
        var record = AttemptRecord(
            number: setup.number, counts: !isNoisy, seed: setup.seed, startedNanoseconds: start,
            durationSeconds: Double(end - start) / 1e9, samples: observations.samples(),
            ideal: ideal?.values() ?? [:], least: ideal?.least(), requests: requests.outcomes, link: link.measurements,
            bytes: transfers.account(
                isHostOurs: setup.content != nil,
                stored: Set(setup.content.map { Array(conduct.storings($0).keys) } ?? [])), clientEnd: check.end,
            clientOutput: trace.client.complaints.isEmpty ? nil : trace.client.complaints, conduct: conduct.record(),
            noise: noise?.record)
        record.schedule = schedule.map { faults.facts(of: $0, setup) }
        record.answers = requests.answers
        record.findings = troubles
        if troubles.isEmpty {
            record.findings += check.findings()
            if let trouble = CommandOutcome(trace: trace).shellTrouble(setup.cell) { record.findings.append(trouble) }
            record.findings += ContentCheck(trace: trace, setup: setup).findings()
            record.findings += LinkUseCheck(trace: trace, setup: setup).findings()
            record.findings += record.conduct?.redirectFindings ?? []
        }
        // What was said to be there and was not never became available, however soon that was said.
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
            // Who is to end and sleeps in the kernel cannot help it.
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
        return Observations(
            requests: requests.observations, fetches: isHostOurs ? transfers.fetches : nil,
            connections: isHostOurs ? trace.host.connections : nil, answers: isHostOurs ? answers : nil, flows: flows,
            deliveries: transfers.deliveries,
            wireBytes: trace.crossed.model.downlink.wireBytes + trace.crossed.model.uplink.wireBytes,
            diskPeakBytes: diskPeak, overpurgedBytes: overpurged,
            memoryPeakBytes: trace.exit?.maxResidentBytes,
            cpuSeconds: trace.exit?.cpuTime.seconds, life: trace.client.observation(of: setup.cell.workload))
    }

    /// When the heads of the host's answers reached the client, in order; those of connections that brought nothing after them are left out.
    private var answers: [Int64] {
        let arrivals = trace.link.arrivals
        var next: [Int: Int] = [:]
        return trace.host.events.compactMap { event in
            guard case .head = event.kind else { return nil }
            guard let connection = trace.linkConnection(of: event.connection) else { return event.nanoseconds }
            let known = arrivals[connection] ?? []
            // Both are in order of time.
            let place = known[(next[connection] ?? 0)...].firstIndex { $0 >= event.nanoseconds }
            next[connection] = place ?? known.endIndex
            return place.map { known[$0] }
        }
        .sorted()
    }

    /// When connections and lookups reached the link; nil where none was seen, as the kernel backend tells of none.
    private var flows: [Int64]? {
        let flows = trace.link.events.filter(\.isFlow).map(\.at.nanoseconds)
        return flows.isEmpty ? nil : flows
    }

    /// The most that was stored; a built-in client that tells of no storing stored nothing.
    private var diskPeak: Int64? {
        trace.client.mostStored ?? (trace.client.exitStatus == nil ? nil : 0)
    }

    /// What was purged for nothing; a built-in client that made no room purged nothing.
    private var overpurged: Int64? {
        trace.client.overpurged ?? (trace.client.exitStatus == nil ? nil : 0)
    }

    private func ideal(_ observations: Observations) -> IdealTimes? {
        guard let begin = observations.requests.map(\.beganAt).min(), trace.linkStart > 0 else { return nil }
        let delay = Duration.nanoseconds(max(0, begin - trace.linkStart))
        // A fault that makes the link better makes a perfect client faster.
        let length = Duration.nanoseconds(max(0, trace.clientGone - trace.linkStart))
        guard let profile = link.allowed.profile(until: length) else { return nil }
        return IdealTimes(
            setup: setup, connections: trace.link.mostOpen, delay: delay, payload: trace.crossed.payload,
            profile: profile)
    }
}

extension AttemptJudge {
    /// Says which faults never met their moment.
    private func noteUnplayed(in record: inout AttemptRecord) {
        let unplayed = faults.unplayed(setup.cell.hostFaults, content: setup.content)
        // Who does what is expected need not have met one.
        let early = isAsExpected(record) ? [] : faults.earlyOutages
        record.playedFaults =
            setup.cell.hostFaults.count - unplayed.count + trace.playedFaults.count - early.count
        record.unplayedFaults = text(unplayed, early: early)
        if let text = record.unplayedFaults {
            // A client that failed before is judged by how it failed.
            if record.requests.allSatisfy({ $0.result == .available }) {
                record.findings.append(Finding(.faultNotPlayed, text))
            } else {
                record.notes.append(text)
            }
        }
        // Another client, or the same on another day, need not meet all that a list says.
        if let unmet = record.schedule?.unmet, unmet > 0 {
            record.notes.append("\(unmet) of the schedule's faults never happened")
        }
    }

    /// Faults of the link that are named where many never met their moment.
    private static let mostNamed = 3

    private func isAsExpected(_ record: AttemptRecord) -> Bool {
        setup.cell.expectations.requests.allSatisfy { expected in
            record.requests.allSatisfy { outcome in
                (expected.request ?? outcome.id) != outcome.id || expected.expectation.isMet(by: outcome)
            }
        }
    }

    /// What to say of the scenario's own faults that never met their moment; nil where all did.
    private func text(_ unplayed: [HostFault], early: [OfflineKind]) -> String? {
        var parts: [String] = []
        parts += trace.unplayedFaults.prefix(Self.mostNamed).map {
            "the fault '\(FaultSchedule.Line.link($0.change).text)' never happened"
        }
        let unnamed = trace.unplayedFaults.count - Self.mostNamed
        if unnamed > 0 { parts.append("\(unnamed) more of the link's faults never happened") }
        parts += unplayed.map { "the host's fault '\($0.text)' affected no answer" }
        parts += early.map { "the outage '\($0.rawValue)' was over before the client asked for anything" }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
