import LinkModel
import LinuxSupport
import PackFormat
import ProcessGuard
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
    /// What went wrong in the attempt, on purpose or by chance.
    var schedule: FaultSchedule?
    var troubles: [Finding] = []

    init(context: CellContext, number: Int, trace: AttemptTrace) {
        self.context = context
        self.number = number
        self.trace = trace
    }

    func record() -> AttemptRecord {
        let observations = self.observations
        let ideal = ideal(observations)
        let isStuck = trace.exit?.left.contains { $0.state == "D" } ?? false
        // A late wake-up is no reason for a client that is still there long after it should have ended.
        let limits =
            trace.exit?.timedOut == true ? context.dependencies.noiseLimits.forHangs : context.dependencies.noiseLimits
        let excess = noise.flatMap(limits.excess)
        let isNoisy = isStuck || excess != nil
        var record = AttemptRecord(
            number: number, counts: !isNoisy, seed: context.seed(attempt: number), startedNanoseconds: startedAt,
            durationSeconds: Double(MonotonicClock.now - startedAt) / 1e9, samples: observations.samples(),
            ideal: ideal?.values() ?? [:], least: ideal?.least(), requests: trace.outcomes(of: context.cell),
            link: measurements,
            bytes: trace.byteAccount(
                isHostOurs: context.content != nil,
                stored: Set(context.content.map { Array(trace.storings($0).keys) } ?? [])), clientEnd: trace.end,
            clientOutput: trace.complaints.isEmpty ? nil : trace.complaints, conduct: trace.conduct(context),
            noise: noise?.record)
        let unmet = trace.unmetFaults + trace.unplayed(trace.listedHostFaults, content: context.content).count
        record.schedule = schedule.map { ScheduleFacts($0, of: context, attempt: number, unmet: unmet) }
        record.findings = troubles
        if troubles.isEmpty {
            record.findings += trace.findings(context.cell.workload, program: program)
            if let trouble = trace.shellTrouble(context.cell) { record.findings.append(trouble) }
            record.findings += ContentCheck(context: context, trace: trace).findings()
            record.findings += LinkUseCheck(context: context, trace: trace).findings()
        }
        // What was said to be there and was not never became available, however soon that was said.
        if record.findings.contains(where: { $0.attribution == .contentIncomplete }) {
            record.samples[.timeToAvailable] = .neverCame
        }
        record.findings += observations.findings()
        record.findings += [unverifiedLink, unusedLookups].compactMap { $0 }
        if let unmeasuredLookups { record.notes.append(unmeasuredLookups) }
        if let finding = ScratchRoom.finding(least: trace.leastRoom) { record.findings.append(finding) }
        if let step = noise?.clockTrouble { record.findings.append(Finding(.clockStepped, step)) }
        let misplaced = trace.client.misplacedLines
        if misplaced > 0 {
            let times = misplaced == 1 ? "has a time" : "have times"
            record.notes.append("\(misplaced) of the client's event lines \(times) outside of its run")
        }
        noteUnplayed(in: &record)
        record.notes += trace.survivorNotes
        // What is kept for a bundle alone may be a part.
        if let capture = context.capture, capture.limit > AttemptCapture.leastLimit {
            record.notes += trace.crossed.captureTrouble.map { [$0] } ?? []
        }
        if trace.crossed.unseenPackets > 0 {
            record.notes.append(
                "\(trace.crossed.unseenPackets) packets crossed the link unseen: the machine was too busy")
        }
        if isNoisy {
            // Who is to end and sleeps in the kernel cannot help it.
            let busy = "the machine was too busy" + (excess.map { ": \($0)" } ?? "")
            let why = isStuck ? "the kernel did not let the client end" : busy
            record.notes.append("\(why); the attempt is repeated and does not count")
        }
        return record
    }

    private var program: String {
        switch context.cell.workload {
        case .requests: context.programs.clientName
        case .command(let command): command.arguments { "{\($0.rawValue)}" }.first ?? ""
        }
    }

    private var observations: Observations {
        Observations(
            requests: trace.observations(context), fetches: context.content == nil ? nil : trace.fetches,
            answers: context.content == nil ? nil : answers,
            deliveries: trace.deliveries,
            wireBytes: trace.crossed.model.downlink.wireBytes + trace.crossed.model.uplink.wireBytes,
            diskPeakBytes: diskPeak, overpurgedBytes: overpurged,
            memoryPeakBytes: trace.exit?.maxResidentBytes,
            cpuSeconds: trace.exit?.cpuTime.seconds, life: trace.life(context.cell.workload))
    }

    /// When the heads of the host's answers came to the client, of each connection those after which bytes came.
    private var answers: [Int64] {
        let arrivals = trace.arrivals
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
        guard let profile = allowed.profile(until: length) else { return nil }
        return IdealTimes(
            context: context, connections: trace.link.mostOpen, delay: delay, payload: trace.crossed.payload,
            profile: profile)
    }
}
