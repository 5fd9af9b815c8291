/// Links as they are written, wherever that is: a profile's file, a scenario, the control API, what a command prints.
///
/// The keys and units are those of docs/profiles.md. What is written reads back as an equal value.
package indirect enum LinkNotation: Hashable, Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([LinkNotation])
    /// Values by key, in their order.
    case mapping([Member])

    package struct Member: Hashable, Sendable {
        package let key: String
        package let value: LinkNotation
    }

    /// A mapping of these keys, without those that have no value.
    static func mapping(_ members: [(String, LinkNotation?)]) -> LinkNotation {
        .mapping(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
    }
}

extension LinkNotation: Encodable {
    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let text): try text.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .flag(let flag): try flag.encode(to: encoder)
        case .list(let items): try items.encode(to: encoder)
        case .mapping(let members):
            var container = encoder.container(keyedBy: Key.self)
            for member in members { try container.encode(member.value, forKey: Key(stringValue: member.key)) }
        }
    }
}
