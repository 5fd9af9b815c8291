/// The conditions of a link, in the units of `docs/reference/profiles.md`; nil is unshaped.
///
///     try await link.set(
///         Conditions(
///             downlink: .init(rate: "1 Mbit/s", delay: "80 ms", jitter: .init("10 ms", .normal), loss: "1 %"),
///             uplink: .init(rate: "256 kbit/s"), mtu: 1400))
///
/// Reading ignores keys that a later proxy may have.
public struct Conditions: Sendable, Hashable, Codable {
    /// The conditions of one direction: `.init(rate: "1 Mbit/s", queue: "50 packets")`.
    public struct Direction: Sendable, Hashable, Codable {
        /// The rate, such as `"1 Mbit/s"`.
        public var rate: String?
        /// The one-way delay, such as `"80 ms"`.
        public var delay: String?
        /// The jitter, such as `"10 ms"`; at most the delay.
        public var jitter: Jitter?
        /// The loss of packets, such as `"1 %"`, or ``Loss/bursts(goodToBad:badToGood:lossInBad:lossInGood:)``.
        public var loss: Loss?
        /// The share of packets that arrive twice, such as `"0.1 %"`.
        public var duplicate: String?
        /// The share of packets that overtake others, such as `"1 %"`.
        public var reorder: String?
        /// The share of packets that are damaged, such as `"0.2 %"`.
        public var corrupt: String?
        /// The size of the queue, such as `"100 kB"` or `"50 packets"`.
        public var queue: String?

        /// Absent properties are unshaped.
        public init(
            rate: String? = nil, delay: String? = nil, jitter: Jitter? = nil, loss: Loss? = nil,
            duplicate: String? = nil, reorder: String? = nil, corrupt: String? = nil, queue: String? = nil
        ) {
            (self.rate, self.delay, self.jitter, self.loss) = (rate, delay, jitter, loss)
            (self.duplicate, self.reorder, self.corrupt, self.queue) = (duplicate, reorder, corrupt, queue)
        }
    }

    /// Towards the client.
    public var downlink: Direction?
    /// From the client.
    public var uplink: Direction?
    /// A round trip, such as `"75 ms"`, instead of the two delays; the proxy's answers have the delays.
    public var rtt: String?
    /// The delay of name lookups, such as `"200 ms"`.
    public var dnsDelay: String?
    /// The largest IP packet in bytes, 576 to 65535; nil: 1500.
    public var mtu: Int?
    /// How the link is offline; nil: online.
    public var offline: OfflineKind?
    /// Whether packets wait, and none is lost, as during a stall; nil: false.
    public var held: Bool?

    enum CodingKeys: String, CodingKey {
        case downlink, uplink, rtt, mtu, offline, held
        case dnsDelay = "dns-delay"
    }

    /// Absent properties are unshaped.
    public init(
        downlink: Direction? = nil, uplink: Direction? = nil, rtt: String? = nil, dnsDelay: String? = nil,
        mtu: Int? = nil, offline: OfflineKind? = nil, held: Bool? = nil
    ) {
        (self.downlink, self.uplink, self.rtt, self.dnsDelay) = (downlink, uplink, rtt, dnsDelay)
        (self.mtu, self.offline, self.held) = (mtu, offline, held)
    }
}

/// How the delay of packets varies: `"10 ms"`, or `Jitter("10 ms", .normal)`.
public struct Jitter: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// The distribution of the additional delay.
    public enum Distribution: String, Sendable, Hashable, Codable, CaseIterable {
        /// All values are equally likely.
        case uniform
        /// A normal distribution.
        case normal
    }

    /// The amount, such as `"10 ms"`.
    public var amount: String
    /// Its distribution; nil: ``Distribution/uniform``.
    public var distribution: Distribution?

    /// A jitter of this amount.
    public init(_ amount: String, _ distribution: Distribution? = nil) {
        (self.amount, self.distribution) = (amount, distribution)
    }

    /// A jitter of this amount: `"10 ms"`.
    public init(stringLiteral amount: String) { self.init(amount) }

    private struct Fields: Codable {
        var amount: String
        var distribution: Distribution?
    }

    /// Decodes an amount, or an object with its amount and distribution.
    public init(from decoder: any Decoder) throws {
        let fields = try (try? String(from: decoder)).map { Fields(amount: $0) } ?? Fields(from: decoder)
        self.init(fields.amount, fields.distribution)
    }

    /// Encodes the amount alone if there is no distribution.
    public func encode(to encoder: any Encoder) throws {
        guard distribution != nil else { return try amount.encode(to: encoder) }
        try Fields(amount: amount, distribution: distribution).encode(to: encoder)
    }
}

/// How packets are lost: `"1 %"`, or `.bursts(goodToBad: "1 %", badToGood: "20 %")`.
public enum Loss: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// Each packet is lost with this probability, such as `"1 %"`.
    case share(String)
    /// The model of Gilbert and Elliott: for each packet, the probability to go from the good state to the bad one and
    /// back, and the loss in each state (nil: all in the bad one, none in the good one).
    case bursts(goodToBad: String, badToGood: String, lossInBad: String? = nil, lossInGood: String? = nil)

    /// A loss of this share: `"1 %"`.
    public init(stringLiteral share: String) { self = .share(share) }

    private struct Bursts: Codable {
        var goodToBad, badToGood: String
        var lossInBad, lossInGood: String?

        enum CodingKeys: String, CodingKey {
            case goodToBad = "good-to-bad"
            case badToGood = "bad-to-good"
            case lossInBad = "loss-in-bad"
            case lossInGood = "loss-in-good"
        }
    }

    /// Decodes a share, or an object with the probabilities of bursts.
    public init(from decoder: any Decoder) throws {
        if let share = try? String(from: decoder) {
            self = .share(share)
        } else {
            let read = try Bursts(from: decoder)
            self = .bursts(
                goodToBad: read.goodToBad, badToGood: read.badToGood, lossInBad: read.lossInBad,
                lossInGood: read.lossInGood)
        }
    }

    /// Encodes a share as a text, and bursts as an object.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .share(let share): try share.encode(to: encoder)
        case .bursts(let goodToBad, let badToGood, let lossInBad, let lossInGood):
            try Bursts(goodToBad: goodToBad, badToGood: badToGood, lossInBad: lossInBad, lossInGood: lossInGood)
                .encode(to: encoder)
        }
    }
}
