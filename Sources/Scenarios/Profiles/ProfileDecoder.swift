import LinkModel
import SystemPackage

/// Reads a profile: the keys of its file, and those that a scenario may have under `link`.
struct ProfileDecoder {
    /// The folder of traces; nil if the profile may not read files.
    let folder: FilePath?
    let problems: Problems
    /// Finds the profile that another one extends.
    let find: (_ name: String, _ node: YAMLNode) -> ProfileDraft?

    /// A whole profile file.
    func file(_ root: YAMLNode) -> ProfileDraft? {
        let decoder = FieldDecoder<ProfileDraft>.mapping("a profile") { fields in
            fields.checkVersion(Profile.notationVersion, of: "profiles")
            let name = fields.required("profile", Self.name)
            let title = fields.value("title", .text)
            let summary = fields.value("summary", .text)
            let source = fields.required("source", .text)
            var draft = ProfileDraft(profile: Profile(name: name ?? ""))
            if let node = fields.node("extends"), let base = fields.value("extends", .text) {
                guard let found = find(base, node) else { return behaviour(fields, over: draft) }
                draft = found
            }
            draft.profile.name = name ?? ""
            draft.profile.title = title ?? name ?? ""
            draft.profile.summary = summary ?? ""
            draft.profile.source = source ?? ""
            return behaviour(fields, over: draft)
        }
        return decoder.value(of: root, problems)
    }

    /// Reads all keys except names: the profile `base` with the changes in `fields`.
    func behaviour(_ fields: Fields, over base: ProfileDraft) -> ProfileDraft {
        var draft = base
        var conditions = LinkDecoder.read(fields, over: base.profile.conditions)
        let changes = fields.value("changes", ChangeDecoder.nodes)
        if let period = fields.value("repeat", .period) { draft.profile.repeatsEvery = period }
        if let stall = fields.value("stall", Self.stall) { draft.profile.stall = stall }
        readTraces(fields, into: &draft.profile)
        // A trace replaces the rate, also that of the base.
        for direction in Direction.allCases where draft.profile.trace(direction) != nil {
            conditions[direction].rate = nil
        }
        draft.set(conditions, changes: changes ?? base.changes, problems)
        checkPeriod(of: draft.profile, fields)
        return draft
    }

    /// A name of a-z, 0-9, dots and hyphens, which no shell needs quotes for.
    private static var name: FieldDecoder<String> {
        .matching(
            "^[a-z0-9.-]{0,64}$", "a profile's name",
            hint: "use up to 64 of a-z, 0-9, '-' and '.', no punctuation first"
        ) { $0.first?.isPunctuation == false }
    }

    private static var stall: FieldDecoder<Profile.PeriodicStall> {
        FieldDecoder<Profile.PeriodicStall>.mapping("a stall") { fields in
            let period = fields.required("every", .period)
            let length = fields.required("for", .positiveDuration)
            guard let period, let length else { return nil }
            guard length < period else {
                fields.refuse("for", "a stall of \(length.text) must be shorter than its period of \(period.text)")
                return nil
            }
            return Profile.PeriodicStall(period: period, length: length)
        }
    }

    private func checkPeriod(of profile: Profile, _ fields: Fields) {
        guard let period = profile.repeatsEvery else { return }
        if let last = profile.changes.last, last.at >= period {
            fields.refuse(
                "repeat",
                "the change at \(last.at.text) never happens, because the profile repeats every \(period.text)"
            )
        } else if period < LinkBounds.leastPeriod * profile.changes.count {
            let message = "\(profile.changes.count) changes repeat every \(period.text)"
            fields.refuse("repeat", message, hint: "allow \(LinkBounds.leastPeriod.text) or more for each")
        } else if profile.changes.isEmpty, fields.keys.contains("repeat"), !fields.keys.contains("changes") {
            fields.refuse("repeat", "there are no changes to repeat", hint: "add 'changes'")
        }
    }

    private func readTraces(_ fields: Fields, into profile: inout Profile) {
        let reader = TraceReader(folder: folder)
        let decoder = FieldDecoder<(DeliveryTrace?, DeliveryTrace?)>.mapping("a trace") { trace in
            let downlink = trace.value("downlink", reader.decoder)
            let uplink = trace.value("uplink", reader.decoder)
            if trace.keys.isEmpty { trace.problems.add("a trace needs 'downlink' or 'uplink'", at: trace.mark) }
            return (downlink, uplink)
        }
        guard let (downlink, uplink) = fields.value("trace", decoder) else { return }
        for (key, trace) in [("downlink", downlink), ("uplink", uplink)] where trace != nil {
            guard let node = fields.node(key)?["rate"] else { continue }
            fields.problems.add("the trace of the \(key) replaces this rate", at: node.mark, hint: "keep one of them")
        }
        if let downlink { profile.downlinkTrace = downlink }
        if let uplink { profile.uplinkTrace = uplink }
    }
}

/// A profile and the text of its changes, so that a profile that extends it can apply them to its own conditions.
struct ProfileDraft {
    var profile: Profile
    /// The changes as written: differences from the conditions at the start.
    var changes: [YAMLNode] = []

    /// Sets the conditions at the start, and applies the changes to them.
    mutating func set(_ conditions: LinkConditions, changes: [YAMLNode], _ problems: Problems) {
        self.changes = changes
        profile.conditions = conditions
        profile.changes = ChangeDecoder.changes(changes, over: conditions, problems)
    }
}
