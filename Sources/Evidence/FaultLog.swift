package import LinkModel
import PackFormat
import PackHost
import Redaction
import Results
import Scenarios

/// The faults that an attempt met, scripted or random, and those that never happened.
package struct FaultLog {
    let trace: AttemptTrace

    package init(_ trace: AttemptTrace) { self.trace = trace }

    /// All faults of the attempt as a schedule that repeats them; nil if none was recorded.
    ///
    /// It has no secrets, like everything that is written. A line of the host applies to the requests up to the next
    /// line of the same fault. The last line applies to all requests of the fault, so that a client that asks more
    /// often in a replay meets it, too. Requests for ranges that were made side by side are named by their first bytes.
    package func schedule(_ setup: AttemptSetup) -> FaultSchedule? {
        guard let record = trace.crossed.record else { return nil }
        var lines = record.decisions.map { ($0.at.nanoseconds, FaultSchedule.Line.packet($0.fault)) }
        var omitted = record.omitted
        let scripted = setup.cell.hostFaults + trace.listedHostFaults
        var last: [[String]: Int] = [:]
        for answer in faultyAnswers {
            guard let text = answer.line?.text, var line = FaultSchedule.HostFaultLine(text: Redaction.text(text))
            else {
                omitted += 1
                continue
            }
            let most = scripted.filter { concerns($0, answer, setup.content) }.map { $0.tries?.upperBound ?? .max }
                .max()
            if let range = answer.range, range.isParallel {
                line.path += "@\(range.start)"
                line.tries = range.number...range.number
            }
            let first = line.tries.lowerBound
            // Limits of a fault count all requests for the pack, so they say nothing of one range.
            let end = answer.range?.isParallel == true && most != .max ? first : max(first, most ?? 0)
            line.tries = first...end
            if let index = last.updateValue(lines.count, forKey: [line.method, line.path, line.action]),
                case .host(var earlier) = lines[index].1
            {
                let end = max(earlier.tries.lowerBound, first - 1)
                earlier.tries = earlier.tries.clamped(to: earlier.tries.lowerBound...end)
                lines[index].1 = .host(earlier)
            }
            lines.append((answer.nanoseconds, .host(line)))
        }
        lines += trace.playedFaults.map { ($0.at, .link($0.fault.change)) }
        let sorted = lines.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        return FaultSchedule(
            seed: record.seed, profile: record.profile, omitted: omitted, lines: sorted.map(\.element.1))
    }

    /// The facts about a schedule that was recorded in an attempt.
    func facts(of schedule: FaultSchedule, _ setup: AttemptSetup) -> ScheduleFacts {
        let played = setup.cell.schedule?.faults
        // No packet matched them, or their trigger never occurred.
        let unmetOfLink = (trace.crossed.record?.unmet ?? 0) + trace.unplayedFaults.count
        let unmet = unmetOfLink + unplayed(trace.listedHostFaults, content: setup.content).count
        return ScheduleFacts(
            file: setup.scheduleFile, lines: schedule.lines.count, hash: schedule.digest,
            firstTransmissionHash: schedule.firstTransmissionDrops.digest, omitted: schedule.omitted,
            playedHash: played?.digest, unmet: played == nil ? nil : unmet)
    }

    /// The faults that affected no answer of the host.
    ///
    /// A fault of several tries counts if it affected one of them.
    func unplayed(_ faults: [HostFault], content: PreparedContent?) -> [HostFault] {
        let answers = faultyAnswers
        return faults.filter { fault in !answers.contains { concerns(fault, $0, content) } }
    }

    /// A fault that affected an answer of the host.
    private struct FaultyAnswer {
        var nanoseconds: Int64
        /// Nil if the host's line cannot be read.
        var line: FaultSchedule.HostFaultLine?
        /// The pack, and the number of the request for it; nil if unknown.
        var request: (pack: String, number: Int)?
        /// Nil if the request was for no range.
        var range: RangeRequests.Request?
    }

    private var faultyAnswers: [FaultyAnswer] {
        var requests: [Int: HostRequest] = [:]
        let ranges = RangeRequests(trace.host.events)
        return trace.host.events.compactMap { event in
            switch event.kind {
            case .request(let request): requests[event.connection] = request
            case .fault(let text):
                let line = FaultSchedule.HostFaultLine(text: text)
                var answer = FaultyAnswer(nanoseconds: event.nanoseconds, line: line)
                if let line, line.path == "*" {
                    answer.request = ("*", line.tries.lowerBound)
                } else if let request = requests[event.connection], let pack = request.pack,
                    let number = request.number
                {
                    (answer.request, answer.range) = ((pack, number), ranges[pack, number])
                }
                return answer
            default: break
            }
            return nil
        }
    }

    private func concerns(_ fault: HostFault, _ answer: FaultyAnswer, _ content: PreparedContent?) -> Bool {
        guard let line = answer.line, let (pack, number) = answer.request,
            HostFault.word(ofAction: line.action) == HostFault.word(ofAction: fault.action.text),
            fault.rangeStart == nil || fault.rangeStart == answer.range?.start,
            fault.tries?.contains(fault.rangeStart == nil ? number : answer.range?.number ?? 0) ?? true
        else { return false }
        return fault.pack == "*" || fault.pack == pack
            || (content?.packs(named: fault.pack) ?? []).contains { $0.identifier == pack }
    }

    /// Outages at set times that ended before the client requested anything, for example because it starts slowly.
    ///
    /// Empty if an outage came later, and for commands, which do not report when they send requests.
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
    /// The kind of action in an action's text: `cut` of `cut@524288`.
    fileprivate static func word(ofAction text: String) -> Substring { text.prefix { !"@= ".contains($0) } }
}
