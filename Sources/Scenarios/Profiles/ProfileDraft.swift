import LinkModel

/// A profile and the text of its changes, so that a variant of it can apply them to conditions of its own.
struct ProfileDraft {
    var profile: Profile
    /// The changes as written: what differs from the conditions at the start.
    var changes: [YAMLNode] = []

    /// Sets what holds at the start, and with it what every change makes of that.
    mutating func set(_ conditions: LinkConditions, changes: [YAMLNode], _ problems: Problems) {
        self.changes = changes
        profile.conditions = conditions
        profile.changes = ChangeDecoder.changes(changes, over: conditions, problems)
    }
}
