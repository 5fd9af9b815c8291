/// The value of an event's member.
package enum MemberValue: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case flag(Bool)
    case texts([String])
    case members([Member])

    /// A member of an object.
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: MemberValue
    }

    /// The members of a value that is coded by keys, in the order in which it encodes them; those that are nil are left out.
    package static func members(of value: some Encodable) -> [Member] {
        if case .members(let members) = MemberValue(value) { members } else { [] }
    }

    private init(_ value: some Encodable) {
        switch value {
        case let text as String: self = .text(text)
        case let integer as Int64: self = .integer(integer)
        case let integer as Int: self = .integer(Int64(integer))
        case let number as Double: self = .number(number)
        case let flag as Bool: self = .flag(flag)
        case let texts as [String]: self = .texts(texts)
        default:
            let encoder = MemberEncoder()
            // The containers throw nothing.
            try? value.encode(to: encoder)
            self = encoder.single ?? .members(encoder.members)
        }
    }

    fileprivate final class MemberEncoder: Encoder {
        var members: [Member] = []
        var single: MemberValue?
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            KeyedEncodingContainer(MemberContainer(encoder: self))
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer {
            preconditionFailure("events have lists of texts alone")
        }
        func singleValueContainer() -> any SingleValueEncodingContainer { SingleContainer(encoder: self) }
    }

    private struct MemberContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: MemberEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) {}
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
            encoder.members.append(Member(name: key.stringValue, value: MemberValue(value)))
        }
        func nestedContainer<Other: CodingKey>(
            keyedBy type: Other.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Other> { preconditionFailure("events nest no containers") }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }

    private struct SingleContainer: SingleValueEncodingContainer {
        let encoder: MemberEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil() {}
        func encode<Value: Encodable>(_ value: Value) { encoder.single = MemberValue(value) }
    }

    /// The value as JSON (RFC 8259), which has no numbers that are not finite: those become null.
    package var json: String {
        switch self {
        case .text(let text): text.jsonQuoted
        case .integer(let integer): String(integer)
        case .number(let number): number.isFinite ? "\(number)" : "null"
        case .flag(let flag): flag ? "true" : "false"
        case .texts(let texts): "[\(texts.map(\.jsonQuoted).joined(separator: ","))]"
        case .members(let members):
            "{\(members.map { "\($0.name.jsonQuoted):\($0.value.json)" }.joined(separator: ","))}"
        }
    }
}

extension String {
    /// The text as a JSON string, with its quotation marks (RFC 8259 §7).
    package var jsonQuoted: String {
        var result = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension ClientEvent {
    /// The event as one line of JSON, with its end.
    package var line: String { MemberValue.members(MemberValue.members(of: self)).json + "\n" }

    /// What it has besides version, time, kind and number.
    package var members: [MemberValue.Member] {
        MemberValue.members(of: self).filter { !["v", "t", "event", "n"].contains($0.name) }
    }
}
