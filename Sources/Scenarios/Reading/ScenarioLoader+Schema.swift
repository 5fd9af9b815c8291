package import Documents

extension ScenarioLoader {
    /// The schema of a scenario's file, in JSON Schema (draft 2020-12), made of the decoders that read it.
    ///
    /// It says which keys there are, and what stands behind each. What hangs together between keys is checked where a scenario
    /// is loaded.
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
