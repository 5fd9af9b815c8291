import Documents
import LinkModel

/// Makes faults of the link from the lines of a schedule that are about the link.
struct LinkChangeDecoder {
    let context: ScenarioContext
    /// The place in the scenario that names the schedule.
    let node: YAMLNode
    let problems: Problems

    func faults(_ schedule: Schedule) -> [LinkFault] {
        schedule.linkChanges.compactMap { fault($0.change, of: schedule, at: $0.mark) }
    }

    private func fault(_ change: FaultSchedule.LinkChange, of schedule: Schedule, at mark: Mark) -> LinkFault? {
        guard let effect = effect(change.effect, of: schedule, at: mark) else { return nil }
        for case .packBytes(_, let pack)? in [change.after, change.until] { problems.mention(pack, at: node.mark) }
        for case .packShare(_, let pack)? in [change.after, change.until] { problems.mention(pack, at: node.mark) }
        return LinkFault(change, effect: effect)
    }

    private func effect(
        _ effect: FaultSchedule.LinkChange.Effect, of schedule: Schedule, at mark: Mark
    ) -> LinkFault.Effect? {
        switch effect {
        case .outage(let kind): return .offline(kind)
        case .cut: return .cut
        case .clientKilled: return .clientKilled
        case .deviceFull: return .deviceFull
        case .profile(let name):
            let own = Problems(file: schedule.file)
            let place = YAMLNode(mark: mark, content: .text(name, inset: nil))
            let draft = context.profiles.draft(name, from: context.folder, at: place, own)
            problems.take(own.found)
            return draft.map { .profile($0.profile) }
        }
    }
}
