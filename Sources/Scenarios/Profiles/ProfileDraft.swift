import LinkModel

/// A profile and the text of its changes, so that a variant of it can apply them to conditions of its own.
struct ProfileDraft {
    /// A change as written: what differs from the conditions at the start.
    struct Change {
        let at: Duration
        let node: YAMLNode
    }

    var profile: Profile
    var changes: [Change] = []

    /// Sets what holds at the start, and with it what every change makes of that.
    mutating func set(_ conditions: LinkConditions, changes: [Change], _ problems: Problems) {
        profile.conditions = conditions
        self.changes = changes
        profile.changes = changes.compactMap { change in
            ChangeForm.conditions(of: change.node, over: conditions, problems).map {
                Profile.Change(at: change.at, conditions: $0)
            }
        }
    }
}
