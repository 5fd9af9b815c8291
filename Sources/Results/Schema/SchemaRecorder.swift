package import Documents

extension RunResult {
    /// The schema of `result.json`, in JSON Schema (draft 2020-12), made from the declarations that read it.
    ///
    /// It allows unknown keys, because a later version may add some.
    package static func schema() throws -> JSONTree {
        let schema = try SchemaRecorder.schema(of: RunResult.self)
        let version = JSONTree.object(["const": .whole(currentSchema)])
        let head: JSONTree = .object([
            "$schema": .text("https://json-schema.org/draft/2020-12/schema"),
            "title": .text("result.json of headwind run"),
        ])
        return JSONTree.object(head.members + schema.members)
            .setting("properties", schema["properties"]?.setting("schema_version", version))
    }
}

/// Derives the schema of a type: the type decodes itself from a recorder, which notes what it asks for.
///
/// So a schema is made from the declarations that read results. A key that is read with `decodeIfPresent` may be absent
/// or null; an enumeration has to list its cases (`CaseIterable`).
enum SchemaRecorder {
    /// The schema of a type; throws if the type rejects the made-up values and needs a case in ``ofValue(_:)``.
    static func schema<Value: Decodable>(of type: Value.Type) throws -> JSONTree { try record(type).schema }

    /// A made-up value of the type, and its schema.
    fileprivate static func record<Value: Decodable>(_ type: Value.Type) throws -> (value: Value, schema: JSONTree) {
        if let (value, schema) = ofValue(type) { return (value, schema) }
        let note = Note()
        let value = try Value(from: Recorder(note: note))
        return (value, note.schema)
    }

    /// A made-up value and the schema of a type that is not a container; nil for a container.
    private static func ofValue<Value>(_ type: Value.Type) -> (Value, JSONTree)? {
        func scalar(_ value: Any, _ name: String, _ more: (String, JSONTree)? = nil) -> (Value, JSONTree)? {
            let tree = JSONTree.object(["type": .text(name)])
            return (value as? Value).map { ($0, more.map { tree.setting($0.0, $0.1) } ?? tree) }
        }
        switch type {
        case is String.Type: return scalar("0", "string")
        case is Bool.Type: return scalar(false, "boolean")
        case is Double.Type: return scalar(0.0, "number")
        case let type as any FixedWidthInteger.Type: return scalar(type.zero, "integer")
        case is Seed.Type: return scalar(Seed(0), "string", ("pattern", .text("^[0-9]+$")))
        case let type as any CaseIterable.Type: return cases(of: type)
        default: return nil
        }
    }

    private static func cases<Value>(of type: any CaseIterable.Type) -> (Value, JSONTree)? {
        func names<Cases: CaseIterable>(_ type: Cases.Type) -> (Value, JSONTree)? {
            let all = Array(type.allCases)
            let names = all.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
            guard let first = all.first as? Value, names.count == all.count else { return nil }
            return (first, .object(["enum": .texts(names)]))
        }
        return names(type)
    }
}

/// Notes what a type asked for.
private final class Note {
    var members: [(key: String, schema: JSONTree)] = []
    var optional: Set<String> = []
    /// Whether keys are data, as in a dictionary.
    var isOpen = false
    var other: JSONTree?

    func add(_ key: String, _ schema: JSONTree) {
        if !members.contains(where: { $0.key == key }) { members.append((key, schema)) }
    }

    var schema: JSONTree {
        if let other { return other }
        if isOpen, let value = members.first?.schema {
            return .object(["type": .text("object"), "additionalProperties": value])
        }
        let sorted = members.sorted { $0.key < $1.key }
        let required = sorted.map(\.key).filter { !optional.contains($0) }
        let properties = sorted.map { member in
            JSONTree.Member(
                key: member.key, value: optional.contains(member.key) ? Self.orNull(member.schema) : member.schema)
        }
        return .object([
            "type": .text("object"), "properties": .object(properties),
            "required": required.isEmpty ? nil : .texts(required),
        ])
    }

    private static func orNull(_ schema: JSONTree) -> JSONTree {
        if case .text(let type)? = schema["type"] { return schema.setting("type", .texts([type, "null"])) }
        return .object(["anyOf": .list([schema, .object(["type": .text("null")])])])
    }
}

/// Why a type cannot be recorded.
private struct NotRecorded: Error {}

private struct Recorder: Decoder, SingleValueDecodingContainer {
    let note: Note
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keys<Key>(note: note))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Items(note: note) }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (value, schema) = try SchemaRecorder.record(type)
        note.other = schema
        return value
    }
}

private struct Keys<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let note: Note
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        note.isOpen = true
        return [Key(stringValue: "key")].compactMap { $0 }
    }

    /// Called before every value that may be absent.
    func contains(_ key: Key) -> Bool {
        note.optional.insert(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let (value, schema) = try SchemaRecorder.record(type)
        note.add(key.stringValue, schema)
        return value
    }

    func nestedContainer<Other: CodingKey>(
        keyedBy type: Other.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Other> { throw NotRecorded() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw NotRecorded() }
    func superDecoder() throws -> any Decoder { throw NotRecorded() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NotRecorded() }
}

/// A list with one item, whose schema holds for all items.
private struct Items: UnkeyedDecodingContainer {
    let note: Note
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    var currentIndex = 0
    var isAtEnd: Bool { currentIndex > 0 }

    init(note: Note) { self.note = note }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let (value, schema) = try SchemaRecorder.record(type)
        note.other = .object(["type": .text("array"), "items": schema])
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Other: CodingKey>(keyedBy type: Other.Type) throws -> KeyedDecodingContainer<Other> {
        throw NotRecorded()
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotRecorded() }
    mutating func superDecoder() throws -> any Decoder { throw NotRecorded() }
}
