import LinkModel

/// Reads `changes`: times from which a link's conditions differ from those at its start.
enum ChangeDecoder {
    /// The changes as written; ``changes(_:over:_:)`` applies them to conditions.
    static var nodes: FieldDecoder<[YAMLNode]> {
        .list(
            "a list of changes, such as [{at: 10 s, offline: silent}]",
            of: FieldDecoder("a change", schema: { change(over: LinkConditions()).schema() }) { node, _ in node })
    }

    /// The changes in `nodes`, applied to `base`, in order of time.
    static func changes(_ nodes: [YAMLNode], over base: LinkConditions, _ problems: Problems) -> [Profile.Change] {
        var changes: [Profile.Change] = []
        for node in nodes {
            guard let change = change(over: base).value(of: node, problems) else { continue }
            if let last = changes.last, change.at <= last.at {
                let message = "a change at \(change.at.text) follows one at \(last.at.text)"
                problems.add(message, at: node.mark, hint: "sort the changes by time")
            }
            changes.append(change)
        }
        return changes
    }

    private static func change(over base: LinkConditions) -> FieldDecoder<Profile.Change> {
        .mapping("a change") { fields in
            let moment = fields.required("at", .duration)
            let link = LinkDecoder.read(fields, over: base)
            return moment.map { Profile.Change(at: $0, conditions: link) }
        }
    }
}
