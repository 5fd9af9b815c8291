import Documents

/// The JSON Schema (draft 2020-12) of a value, made by the decoder that reads it.
///
/// A schema may allow what its decoder refuses, but must not refuse what its decoder accepts and people write.
/// Dependencies between keys are only checked by decoders. ``TextPattern`` has the syntax of texts.
enum SchemaNode {
    /// A text that matches `pattern`, or the number that YAML makes of it: 0 to `most`, or any if `most` is nil.
    static func scalar(_ description: String, pattern: String? = nil, most: Int128? = nil) -> JSONTree {
        .object([
            "description": .text(description), "type": .texts(["string", "number", "boolean"]),
            "pattern": pattern.map(JSONTree.text), "minimum": most.map { _ in .integer(0) },
            "maximum": most.map(JSONTree.integer),
        ])
    }

    /// A text that YAML does not take for a number.
    static func text(_ description: String, pattern: String? = nil) -> JSONTree {
        .object(["description": .text(description), "type": .text("string"), "pattern": pattern.map(JSONTree.text)])
    }

    /// One of these texts; YAML takes some of them for numbers.
    static func word(_ description: String, _ names: [String]) -> JSONTree {
        let numbers = names.compactMap { Int128($0) }.map(JSONTree.integer)
        return .object(["description": .text(description), "enum": .list(names.map(JSONTree.text) + numbers)])
    }

    /// Allows what any of these schemas allows.
    static func any(_ schemas: [JSONTree]) -> JSONTree { .object(["anyOf": .list(schemas)]) }

    /// Allows anything; it only has a description.
    static func anything(_ description: String) -> JSONTree { .object(["description": .text(description)]) }

    /// The schema of a key of the scenario, for another place where the key is allowed.
    static func key(_ name: String) -> JSONTree { .object(["$ref": .text("#/properties/\(name)")]) }

    /// The most items of a list.
    static let mostItems = 1000

    static func list(_ description: String, of item: JSONTree) -> JSONTree {
        .object([
            "description": .text(description), "type": .text("array"), "items": item, "minItems": .integer(1),
            "maxItems": .whole(mostItems),
        ])
    }
}

/// Records the keys that a mapping's reader asks for.
final class FieldRecorder {
    private var members: [(key: String, schema: JSONTree?)] = []
    private var required: [String] = []
    private var alternatives: [[String]] = []
    private var others: JSONTree?

    /// Records a key; a schema that is already known stays.
    func add(_ key: String, _ schema: JSONTree?, isRequired: Bool = false) {
        if let index = members.firstIndex(where: { $0.key == key }) {
            if members[index].schema == nil { members[index].schema = schema }
        } else {
            members.append((key, schema))
        }
        if isRequired, !required.contains(key) { required.append(key) }
    }

    /// Records that exactly one of these keys is required.
    func addAlternatives(_ keys: [String]) { alternatives.append(keys) }

    /// Records that keys are names of the user's, with the schema of their values.
    func addOthers(_ schema: JSONTree) { others = schema }

    func schema(_ what: String) -> JSONTree {
        let properties = members.map { JSONTree.Member(key: $0.key, value: $0.schema ?? .object([:])) }
        let choices = alternatives.map { keys in
            JSONTree.object(["oneOf": .list(keys.map { .object(["required": .texts([$0])]) })])
        }
        return .object([
            "description": .text(what), "type": .text("object"),
            "properties": properties.isEmpty ? nil : .object(properties),
            "required": required.isEmpty ? nil : .texts(required),
            "allOf": choices.isEmpty ? nil : .list(choices),
            "additionalProperties": others ?? (properties.isEmpty ? nil : .flag(false)),
        ])
    }
}
