package import LinkModel

/// What Toxiproxy calls a toxic: what happens to the bytes of one direction, on all connections of a proxy or on some.
package struct Toxic: Sendable, Hashable {
    package var name: String
    /// `downstream` is the downlink.
    package var direction: Direction
    /// The share of connections that it holds for: none at 0 or less, all at 1 or more.
    package var toxicity: Double
    package var effect: Effect

    package init(name: String, direction: Direction, toxicity: Double = 1, effect: Effect) {
        self.name = name
        self.direction = direction
        self.toxicity = toxicity
        self.effect = effect
    }

    /// What it does; numbers are as they were asked for, and what is out of bounds is read as the nearest that is not.
    package enum Effect: Sendable, Hashable {
        /// Every piece comes later by `latency` milliseconds, give or take `jitter`.
        case latency(latency: Int64, jitter: Int64)
        /// At most `rate` thousand bytes a second pass; nothing does at 0.
        case bandwidth(rate: Int64)
        /// The end of the stream comes `delay` milliseconds later.
        case slowClose(delay: Int64)
        /// Nothing passes, and the connection is closed after `timeout` milliseconds; never at 0.
        case timeout(timeout: Int64)
        /// The connection is reset `timeout` milliseconds after the first bytes, which are lost.
        case resetPeer(timeout: Int64)
        /// Bytes come in pieces of `averageSize` give or take `sizeVariation`, each `delay` microseconds after the last.
        case slicer(averageSize: Int64, sizeVariation: Int64, delay: Int64)
        /// The connection is closed after so many bytes.
        case limitData(bytes: Int64)
        /// Pieces are missing: `lossRate` of them, and `correlation` more after one that is.
        case packetLoss(lossRate: Double, correlation: Double)
        /// The proxy's link follows a profile of Headwind's, in both directions and for all connections.
        case profile(Profile, isNamed: Bool)

        /// Whether it is of the same type.
        func isAlike(_ other: Effect) -> Bool { type == other.type }

        private var type: Int {
            switch self {
            case .latency: 0
            case .bandwidth: 1
            case .slowClose: 2
            case .timeout: 3
            case .resetPeer: 4
            case .slicer: 5
            case .limitData: 6
            case .packetLoss: 7
            case .profile: 8
            }
        }
    }

    /// The profile that it has the link follow; nil for what acts on streams.
    package var profile: Profile? { if case .profile(let profile, _) = effect { profile } else { nil } }
}

extension Duration {
    /// No duration of a toxic is longer: a year.
    private static let longestOfToxic: Int64 = 31_536_000_000

    /// Milliseconds as a toxic has them: none are negative.
    static func toxic(milliseconds: Int64) -> Duration { .milliseconds(min(max(milliseconds, 0), longestOfToxic)) }

    /// Microseconds as a toxic has them.
    static func toxic(microseconds: Int64) -> Duration {
        .microseconds(min(max(microseconds, 0), longestOfToxic * 1000))
    }
}
