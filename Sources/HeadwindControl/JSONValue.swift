/// Any JSON, for what has no type of its own here: `["bytes": 100, "profile": "3g"]`.
public enum JSONValue: Sendable, Hashable, Codable {
    /// The value null.
    case null
    /// The value true or false.
    case flag(Bool)
    /// A number; whole numbers are exact up to 2^53.
    case number(Double)
    /// A text.
    case text(String)
    /// A list.
    case list([JSONValue])
    /// An object.
    case object([String: JSONValue])

    /// Decodes any JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes the value alone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSONValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A number: `100`.
    public init(integerLiteral number: Int) { self = .number(Double(number)) }

    /// A number: `0.5`.
    public init(floatLiteral number: Double) { self = .number(number) }

    /// A text: `"3g"`.
    public init(stringLiteral text: String) { self = .text(text) }

    /// The value `true` or `false`.
    public init(booleanLiteral flag: Bool) { self = .flag(flag) }

    /// A list: `[1, 2]`.
    public init(arrayLiteral list: JSONValue...) { self = .list(list) }

    /// An object: `["rate": "1 Mbit/s"]`; of several members with one name, the last counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members, uniquingKeysWith: { $1 }))
    }
}
