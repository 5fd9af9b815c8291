package import Documents

extension ScenarioLoader {
    /// The JSON Schema (draft 2020-12) of a scenario's file, made from the decoders that read it.
    ///
    /// It lists the keys and their values. Dependencies between keys are only checked when a scenario is loaded.
    package var schema: JSONTree {
        let context = ScenarioContext(folder: "", profiles: ProfileLoader(library: profiles))
        let schema = ScenarioDecoder(context: context).cell(id: "", point: []).schema()
        guard case .object(let members) = schema,
            case .object(let head) = JSONTree.object([
                "$schema": .text("https://json-schema.org/draft/2020-12/schema"),
                "title": .text("A scenario of headwind run"),
            ])
        else { return schema }
        return JSONTree.object(head + members).sharingRepeats()
    }
}
