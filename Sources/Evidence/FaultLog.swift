package import LinkModel
import PackFormat
import PackHost
import Redaction
import Results
import Scenarios

/// What went wrong in an attempt on purpose or by chance, and which faults never met their moment.
package struct FaultLog {
    let trace: AttemptTrace

    package init(_ trace: AttemptTrace) { self.trace = trace }

    /// Everything that went wrong, as the list that has it happen again; nil where none was kept.
    ///
    /// Without secrets, as all that is written down.
    package var schedule: FaultSchedule? {
        guard let record = trace.crossed.record else { return nil }
        var lines = record.decisions.map { ($0.at.nanoseconds, FaultSchedule.Line.packet($0.fault)) }
        var omitted = record.omitted
        for event in trace.host.events {
            guard case .fault(let text) = event.kind else { continue }
            if let fault = FaultSchedule.HostFaultLine(text: Redaction.text(text)) {
                lines.append((event.nanoseconds, .host(fault)))
            } else {
                omitted += 1
            }
        }
        lines += trace.playedFaults.map { ($0.at, .link($0.fault.change)) }
        let sorted = lines.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        return FaultSchedule(
            seed: record.seed, profile: record.profile, omitted: omitted, lines: sorted.map(\.element.1))
    }

    /// What is said of a schedule that was recorded in an attempt.
    func facts(of schedule: FaultSchedule, _ setup: AttemptSetup) -> ScheduleFacts {
        let played = setup.cell.schedule?.faults
        // No packet met them, or their moment never came.
        let unmetOfLink = (trace.crossed.record?.unmet ?? 0) + trace.unplayedFaults
        let unmet = unmetOfLink + unplayed(trace.listedHostFaults, content: setup.content).count
        return ScheduleFacts(
            file: setup.scheduleFile, lines: schedule.lines.count, hash: schedule.digest,
            firstTransmissionHash: schedule.firstTransmissionDrops.digest, omitted: schedule.omitted,
            playedHash: played?.digest, unmet: played == nil ? nil : unmet)
    }

    /// Which of these faults took part in no answer of the host.
    ///
    /// Of one that concerns several tries, one is enough.
    func unplayed(_ faults: [HostFault], content: PreparedContent?) -> [HostFault] {
        let played = playedHostFaults
        return faults.filter { fault in
            let packs = content?.packs(named: fault.pack).map(\.identifier) ?? []
            return !played.contains { answer in
                answer.action == fault.action.word && (fault.tries?.contains(answer.number) ?? true)
                    && (fault.pack == "*" || fault.pack == answer.pack || packs.contains(answer.pack))
            }
        }
    }

    /// What went wrong on purpose in the host's answers: for what, in which request for it, and by what kind of action.
    private var playedHostFaults: [(pack: String, number: Int, action: Substring)] {
        var requests: [Int: HostRequest] = [:]
        return trace.host.events.compactMap { event in
            switch event.kind {
            case .request(let request): requests[event.connection] = request
            case .fault(let text):
                guard let line = FaultSchedule.HostFaultLine(text: text) else { return nil }
                let action = HostFault.word(ofAction: line.action)
                if line.path == "*" { return ("*", line.attempt, action) }
                guard let request = requests[event.connection], let pack = request.pack, let number = request.number
                else { return nil }
                return (pack, number, action)
            default: break
            }
            return nil
        }
    }

    /// Outages at set times that were over before the client asked for anything, as one that is slow to start does.
    ///
    /// Empty where it met another one, and for commands, which do not tell when they ask.
    var earlyOutages: [OfflineKind] {
        let asked = trace.client.events.lazy.filter { $0.kind == .request || $0.kind == .fetch }.map(\.t).min()
        guard let asked else { return [] }
        let opened = trace.link.events.lazy.filter { if case .opened = $0.kind { true } else { false } }
        let first = min(asked, opened.map(\.at.nanoseconds).min() ?? asked)
        let outages = trace.playedFaults.filter { if case .offline = $0.fault.effect { true } else { false } }
        let early = outages.compactMap { played -> OfflineKind? in
            guard case .time = played.fault.trigger, case .offline(let kind) = played.fault.effect,
                let duration = played.fault.duration, played.at + duration.nanoseconds < first
            else { return nil }
            return kind
        }
        return early.count == outages.count ? early : []
    }
}

extension HostFault {
    /// What kind of action a text of one tells of: `cut` of `cut@524288`.
    fileprivate static func word(ofAction text: String) -> Substring { text.prefix { !"@= ".contains($0) } }
}

extension HostFault.Action {
    fileprivate var word: Substring { HostFault.word(ofAction: text) }
}
