package import Documents

extension RunResult {
    /// The schema of `result.json`, in JSON Schema (draft 2020-12), made from the declarations that read it.
    ///
    /// It allows unknown keys, because a later version may add some.
    package static func schema() throws -> JSONTree {
        let schema = try SchemaRecorder.schema(of: RunResult.self)
        let version = JSONTree.object(["const": .integer(Int128(currentSchema))])
        let head: JSONTree = .object([
            "$schema": .text("https://json-schema.org/draft/2020-12/schema"),
            "title": .text("result.json of headwind run"),
        ])
        return JSONTree.object(head.members + schema.members)
            .setting("properties", schema["properties"]?.setting("schema_version", version))
    }
}
