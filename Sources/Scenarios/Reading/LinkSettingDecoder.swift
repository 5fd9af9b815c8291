import LinkModel

/// Reads `link`: a profile by name or path, the changes to it, the seed (default: 1) and the fidelity (default: `any`).
struct LinkSettingDecoder {
    let context: ScenarioContext

    var decoder: FieldDecoder<Link> {
        .either(
            profile.map { Link(profile: $0.profile, seed: 1, fidelity: .any) },
            .mapping("a link") { fields in
                let base = fields.value("profile", profile)
                let seed = fields.value("seed", FieldDecoder<UInt64>.integer("a seed: a whole number", in: 0...(.max)))
                let fidelity = fields.value("fidelity", FieldDecoder<Link.Fidelity>.choice("a fidelity"))
                return Link(profile: changed(base, fields), seed: seed ?? 1, fidelity: fidelity ?? .any)
            }
        )
    }

    /// A profile, by name or by path relative to the scenario's file.
    var profile: FieldDecoder<ProfileDraft> {
        let expected = "the name or the file of a profile"
        let schema = {
            SchemaNode.any([SchemaNode.word(expected, context.profiles.names), ProfileLibrary.pathSchema])
        }
        return FieldDecoder<String>.text.then(expected, schema: schema) { reference, node, problems in
            context.profiles.draft(reference, from: context.folder, at: node, problems)
        }
    }

    private func changed(_ base: ProfileDraft?, _ fields: Fields) -> Profile {
        let named = base ?? ProfileDraft(profile: Profile(name: "inline", title: "inline", source: "the scenario"))
        let decoder = ProfileDecoder(folder: context.folder, problems: fields.problems) { _, _ in nil }
        var profile = decoder.behaviour(fields, over: named).profile
        if let base, profile != base.profile {
            profile.name += "-changed"
            profile.title += ", changed"
            profile.source += " Changed by the scenario."
        }
        return profile
    }
}
