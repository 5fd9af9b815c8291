import LinkModel

/// The slot of a rule, and since when its profile plays.
struct RulePlace: Hashable {
    let slot: RuleSlot
    /// In seconds since 1970.
    let since: Int64
    /// How old its profile is when the shape begins.
    let age: Duration

    /// The places of `count` rules that begin with their shape.
    static func fresh(_ count: Int, at now: Int64 = 0) -> [RulePlace] {
        RuleSlot.places(keeping: Array(repeating: nil, count: count)).map {
            RulePlace(slot: $0, since: now, age: .zero)
        }
    }

    /// The places of rules, some of which are there already: the same traffic keeps its slot, and the same profile goes
    /// on.
    static func keeping(_ notes: [RuleNote], for rules: [LinkRule], at now: Int64) -> [RulePlace] {
        let kept = rules.map { rule in notes.first { $0.selector == rule.selector.description } }
        return zip(zip(rules, kept), RuleSlot.places(keeping: kept.map { $0?.slot })).map { pair, slot in
            let (rule, note) = pair
            guard let note, note.profile == RuleNote.name(of: rule.profile), note.since <= now else {
                return RulePlace(slot: slot, since: now, age: .zero)
            }
            return RulePlace(slot: slot, since: note.since, age: .seconds(now - note.since))
        }
    }
}
