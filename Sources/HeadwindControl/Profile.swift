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
    /// The type, such as `"limit_data"`.
    public var type: String
    /// The stream, `"upstream"` or `"downstream"`; nil: `downstream`.
    public var stream: String?
    /// The share of connections that it affects, from 0 to 1; nil: all of them.
    public var toxicity: Double?
    /// The attributes, such as `["bytes": 100]`.
    public var attributes: [String: Double]

    /// A toxic of a type, with its attributes.
    public init(_ type: String, _ attributes: [String: Double] = [:], stream: String? = nil, toxicity: Double? = nil) {
        (self.type, self.stream, self.toxicity, self.attributes) = (type, stream, toxicity, attributes)
    }
}
