import Documents
import LinkModel

/// Makes faults of the link of the lines of a schedule that are about it.
struct LinkChangeDecoder {
    let context: ScenarioContext
    /// Where the schedule is called for in the scenario.
    let node: YAMLNode
    let problems: Problems

    func faults(_ schedule: Schedule) -> [LinkFault] {
        schedule.linkChanges.compactMap { fault($0.change, of: schedule, at: $0.mark) }
    }

    private func fault(_ change: FaultSchedule.LinkChange, of schedule: Schedule, at mark: Mark) -> LinkFault? {
        guard let effect = effect(change.effect, of: schedule, at: mark) else { return nil }
        var fault = LinkFault(trigger: trigger(change.after), effect: effect, duration: nil)
        switch change.until {
        case .later(let duration)?: fault.duration = duration
        case .time(let end)?:
            // A moment of the run: the rest of the way to it, where it is known when the fault begins.
            if case .time(let start) = change.after { fault.duration = end - start } else { fault.until = .time(end) }
        case let event?: fault.until = trigger(event)
        case nil: break
        }
        return fault
    }

    private func trigger(_ event: FaultSchedule.Event) -> LinkFault.Trigger {
        switch event {
        case .time(let time), .later(let time): return .time(time)
        case .bytes(let count, .downlink, .any): return .bytes(ByteCount(count))
        case .bytes(let count, let direction, let connection):
            return .connectionBytes(ByteCount(count), direction, connection)
        case .packBytes(let count, let pack):
            problems.mention(pack, at: node.mark)
            return .packBytes(ByteCount(count), pack: pack)
        case .packShare(let share, let pack):
            problems.mention(pack, at: node.mark)
            return .share(share, pack: pack)
        case .progress(let count): return .progress(count)
        }
    }

    private func effect(
        _ effect: FaultSchedule.LinkChange.Effect, of schedule: Schedule, at mark: Mark
    ) -> LinkFault.Effect? {
        switch effect {
        case .outage(let kind): return .offline(kind)
        case .cut: return .cut
        case .clientKilled: return .clientKilled
        case .profile(let name):
            let own = Problems(file: schedule.file)
            let place = YAMLNode(mark: mark, content: .text(name, inset: nil))
            let draft = context.profiles.draft(name, from: context.folder, at: place, own)
            problems.take(own.found)
            return draft.map { .profile($0.profile) }
        }
    }
}
