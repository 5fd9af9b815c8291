extension JSONTree {
    /// Encodes a value, with its members in order and without those that are nil.
    ///
    /// An enumeration with values, as a member, is encoded as the name of its case, with its values as further members:
    /// `cause` of `cut(reset: true)` is `"cause":"cut","reset":true`. The members of an unlabelled value are added,
    /// too.
    package init(encoding value: some Encodable) { self = TreeEncoder(value).tree }
}

extension JSONTree: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            for member in members { try container.encode(member.value, forKey: Key(stringValue: member.key)) }
        case .list(let items): try items.encode(to: encoder)
        case .text(let text): try text.encode(to: encoder)
        case .integer(let integer): try integer.encode(to: encoder)
        case .number(let number) where number.isFinite: try number.encode(to: encoder)
        case .flag(let flag): try flag.encode(to: encoder)
        case .number, .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}

private final class TreeEncoder: Encoder {
    /// The value, if it is not an object.
    private var single: JSONTree?
    private var members: [JSONTree.Member] = []
    /// The name of the case, for an enumeration with values.
    private var name: String?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: some Encodable) {
        switch value {
        case let text as String: single = .text(text)
        case let integer as any BinaryInteger: single = .integer(Int128(clamping: integer))
        case let number as Double: single = .number(number)
        case let flag as Bool: single = .flag(flag)
        case let tree as JSONTree: single = tree
        case let items as [any Encodable]: single = .list(items.map { JSONTree(encoding: $0) })
        // The containers never throw.
        default: try? value.encode(to: self)
        }
    }

    var tree: JSONTree { single ?? .object(members) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Keyed(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { preconditionFailure("lists are arrays") }
    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    private func append(_ value: some Encodable, _ key: String) {
        let inner = TreeEncoder(value)
        if let name = inner.name { members.append(.init(key: key, value: .text(name))) }
        // `_0` is Swift's name for an unlabelled value of a case.
        if inner.name != nil || key == "_0" && inner.single == nil {
            members += inner.members
        } else {
            members.append(.init(key: key, value: inner.tree))
        }
    }

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: TreeEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) {}
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) { encoder.append(value, key.stringValue) }

        func nestedContainer<Other: CodingKey>(
            keyedBy type: Other.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Other> {
            encoder.name = key.stringValue.hyphenated
            return encoder.container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: TreeEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil() { encoder.single = .null }
        func encode<Value: Encodable>(_ value: Value) { encoder.single = JSONTree(encoding: value) }
    }
}

extension String {
    /// A Swift name in lower case, with a hyphen before each word except the first: `listener-failed`.
    package var hyphenated: String {
        reduce(into: "") { text, character in
            text += character.isUppercase ? "-" + character.lowercased() : "\(character)"
        }
    }
}
