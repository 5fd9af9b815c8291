import LinkModel

/// Reads `changes`: moments from which on a link differs from what it is at its start.
enum ChangeForm {
    /// The list of changes, whose moments increase.
    static var list: Form<[ProfileDraft.Change]> {
        Form<[ProfileDraft.Change]>("a list of changes, such as [{at: 10 s, offline: silent}]") { node, problems in
            let changes = Form.list("a list of changes", of: change).read(node, problems)
            guard let changes else { return nil }
            for (earlier, later) in zip(changes, changes.dropFirst()) where later.at <= earlier.at {
                let message = "a change at \(later.at.text) follows one at \(earlier.at.text)"
                problems.add(message, at: later.node.mark, hint: "put changes in order of time")
                return nil
            }
            return changes
        }
    }

    /// What the change that is written in `node` makes of `base`.
    static func conditions(of node: YAMLNode, over base: LinkConditions, _ problems: Problems) -> LinkConditions? {
        let form = Form<LinkConditions>.mapping("a change") { fields in
            _ = fields.node("at")
            var link = LinkForm.read(fields, over: base)
            switch fields.value("online", .flag) {
            case true?:
                if fields.keys.contains("offline") {
                    fields.refuse("online", "a link is not online and offline at once", hint: "keep one of them")
                }
                link.offline = nil
            case false?:
                let kinds = OfflineKind.allCases.map(\.rawValue).joined(separator: ", ")
                fields.refuse(
                    "online",
                    "'online: false' does not say how",
                    hint: "write 'offline:' and one of \(kinds)"
                )
            case nil: break
            }
            return link
        }
        return form.read(node, problems)
    }

    /// When the change is.
    ///
    /// Its other keys are read when it is applied.
    private static var change: Form<ProfileDraft.Change> {
        Form<ProfileDraft.Change>("a change") { node, problems in
            guard let fields = Fields(node, of: "a change", problems) else { return nil }
            guard fields.keys.contains("at") else {
                problems.add("a change needs the key 'at': a duration since the link came up", at: fields.mark)
                return nil
            }
            return fields.value("at", .duration).map { ProfileDraft.Change(at: $0, node: node) }
        }
    }
}
