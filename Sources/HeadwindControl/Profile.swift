/// A profile that a link follows: `"3g"`, or any name of `headwind profile list`.
public struct Profile: Sendable, Hashable, Encodable, ExpressibleByStringLiteral {
    /// Its name.
    public let name: String

    /// The profile of this name.
    public init(_ name: String) { self.name = name }

    /// The profile of this name.
    public init(stringLiteral name: String) { self.name = name }

    /// Encodes its name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

/// The conditions of a link, in the units of `docs/reference/profiles.md`; nil is unshaped.
public struct Conditions: Sendable, Hashable, Encodable {
    /// The conditions of one direction.
    public struct Direction: Sendable, Hashable, Encodable {
        /// The rate, such as `"1 Mbit/s"`.
        public var rate: String?
        /// The one-way delay, such as `"80 ms"`.
        public var delay: String?
        /// The jitter, such as `"10 ms"`; at most the delay.
        public var jitter: String?
        /// The loss of packets, such as `"1 %"`.
        public var loss: String?
        /// The size of the queue, such as `"100 kB"` or `"50 packets"`.
        public var queue: String?

        /// Absent properties are unshaped.
        public init(
            rate: String? = nil, delay: String? = nil, jitter: String? = nil, loss: String? = nil,
            queue: String? = nil
        ) {
            (self.rate, self.delay, self.jitter, self.loss, self.queue) = (rate, delay, jitter, loss, queue)
        }
    }

    /// Towards the client.
    public var downlink: Direction?
    /// From the client.
    public var uplink: Direction?
    /// The delay of name lookups, such as `"200 ms"`.
    public var dnsDelay: String?

    enum CodingKeys: String, CodingKey {
        case downlink, uplink
        case dnsDelay = "dns-delay"
    }

    /// Absent properties are unshaped.
    public init(downlink: Direction? = nil, uplink: Direction? = nil, dnsDelay: String? = nil) {
        (self.downlink, self.uplink, self.dnsDelay) = (downlink, uplink, dnsDelay)
    }
}

/// A toxic of Toxiproxy: an effect on the bytes of one proxy's connections.
public struct Toxic: Sendable, Hashable, Codable {
    /// The value of an attribute: a number such as `100`, or a text such as `"3g"`.
    public enum Value: Sendable, Hashable, Codable {
        /// A number, in the unit of the attribute.
        case number(Double)
        /// A text, such as the name of a profile.
        case text(String)

        /// Decodes a number or a text; throws a `DecodingError` for anything else.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        /// Encodes the number or the text alone.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            }
        }
    }

    /// The type, such as `"limit_data"`.
    public var type: String
    /// The stream, `"upstream"` or `"downstream"`; nil: `downstream`.
    public var stream: String?
    /// The share of connections that it affects, from 0 to 1; nil: all of them.
    public var toxicity: Double?
    /// The attributes, such as `["bytes": 100]` or `["profile": "3g"]`.
    public var attributes: [String: Value]

    /// A toxic of a type, with its attributes.
    public init(_ type: String, _ attributes: [String: Value] = [:], stream: String? = nil, toxicity: Double? = nil) {
        (self.type, self.stream, self.toxicity, self.attributes) = (type, stream, toxicity, attributes)
    }
}

extension Toxic.Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    /// A number.
    public init(integerLiteral number: Int) { self = .number(Double(number)) }

    /// A number.
    public init(floatLiteral number: Double) { self = .number(number) }

    /// A text.
    public init(stringLiteral text: String) { self = .text(text) }
}
