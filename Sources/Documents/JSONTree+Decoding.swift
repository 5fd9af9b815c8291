extension JSONTree {
    /// Decodes a type that consists of keys, texts, lists of texts, numbers and flags; throws for any other tree.
    package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        let found: Any?
        switch (type, self) {
        case (is String.Type, .text(let text)): found = text
        case (is Bool.Type, .flag(let flag)): found = flag
        case (is [String].Type, .list(let items)): found = try items.map { try $0.decoded(as: String.self) }
        case (is Double.Type, _): found = number
        case (let type as any FixedWidthInteger.Type, _): found = integer.flatMap { type.init(exactly: $0) as Any? }
        // A scalar would call its decoder recursively.
        case (is String.Type, _), (is Bool.Type, _), (is [String].Type, _): found = nil
        default: found = try type.init(from: TreeDecoder(tree: self))
        }
        guard let value = found as? Value else { throw WrongTree() }
        return value
    }

    /// The value as a number, whole or not; nil for any other value.
    package var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The value as a whole number, also if written as a decimal; nil for any other value.
    package var integer: Int128? {
        if case .integer(let integer) = self { integer } else { number.flatMap(Int128.init(exactly:)) }
    }
}

/// The error for a tree that does not fit a type.
private struct WrongTree: Error {}

private struct TreeDecoder: Decoder, SingleValueDecodingContainer {
    let tree: JSONTree
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = tree else { throw WrongTree() }
        return KeyedDecodingContainer(Keyed(members: members))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw WrongTree() }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }
    func decodeNil() -> Bool { tree == .null }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try tree.decoded(as: type) }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let members: [JSONTree.Member]
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { members.compactMap { Key(stringValue: $0.key) } }

        private func value(_ key: Key) -> JSONTree? { members.first { $0.key == key.stringValue }?.value }

        func contains(_ key: Key) -> Bool { value(key) != nil }
        func decodeNil(forKey key: Key) -> Bool { value(key) ?? .null == .null }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            guard let value = value(key) else { throw WrongTree() }
            return try value.decoded(as: type)
        }

        func nestedContainer<Other: CodingKey>(
            keyedBy type: Other.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Other> { throw WrongTree() }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw WrongTree() }
        func superDecoder() throws -> any Decoder { throw WrongTree() }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw WrongTree() }
    }
}
