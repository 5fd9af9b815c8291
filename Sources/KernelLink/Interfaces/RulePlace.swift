import LinkModel

/// Where a rule is, and since when its profile is played.
struct RulePlace: Hashable {
    let slot: RuleSlot
    /// In seconds since 1970.
    let since: Int64
    /// How old its profile is when the shape begins.
    let age: Duration

    /// Those of so many rules that begin with their shape.
    static func fresh(_ count: Int, at now: Int64 = 0) -> [RulePlace] {
        RuleSlot.places(keeping: Array(repeating: nil, count: count)).map {
            RulePlace(slot: $0, since: now, age: .zero)
        }
    }

    /// Those of rules some of which are there already: what they are for keeps its place, and a profile that stays goes on.
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
