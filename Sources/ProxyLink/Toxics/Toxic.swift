package import LinkModel

/// A toxic, as in Toxiproxy: an effect on the bytes of one direction, on some or all connections of a proxy.
package struct Toxic: Sendable, Hashable {
    package var name: String
    /// The direction that it affects; Toxiproxy's `downstream` is the downlink.
    package var direction: Direction
    /// The share of connections that it affects: none at 0 or less, all at 1 or more (default: 1).
    package var toxicity: Double
    package var effect: Effect

    package init(name: String, direction: Direction, toxicity: Double = 1, effect: Effect) {
        self.name = name
        self.direction = direction
        self.toxicity = toxicity
        self.effect = effect
    }

    /// What a toxic does; numbers are kept as requested, and one out of bounds acts as the nearest bound.
    package enum Effect: Sendable, Hashable {
        /// Does nothing.
        case noop
        /// Delays every piece by `latency` milliseconds, plus or minus up to `jitter` milliseconds.
        case latency(latency: Int64, jitter: Int64)
        /// Lets at most `rate` thousand bytes a second pass; 0 lets nothing pass.
        case bandwidth(rate: Int64)
        /// Delays the end of the stream by `delay` milliseconds.
        case slowClose(delay: Int64)
        /// Drops all bytes, and closes the connection after `timeout` milliseconds; 0 never closes it.
        case timeout(timeout: Int64)
        /// Drops all bytes, and resets the connection `timeout` milliseconds after the first of them, or after the end.
        case resetPeer(timeout: Int64)
        /// Cuts the stream into pieces of `averageSize` ± `sizeVariation` bytes, `delay` microseconds apart.
        case slicer(averageSize: Int64, sizeVariation: Int64, delay: Int64)
        /// Closes the connection after this number of bytes.
        case limitData(bytes: Int64)
        /// Drops each piece with the probability `lossRate`, plus `correlation` after a dropped one; each is 0 to 1.
        case packetLoss(lossRate: Double, correlation: Double)
        /// Lets the proxy's link follow a profile of Headwind, in both directions and for all connections.
        ///
        /// `isNamed`: whether the client gave the profile by its name.
        case profile(Profile, isNamed: Bool)

        /// Toxiproxy's name of the type.
        package var type: String {
            switch self {
            case .noop: "noop"
            case .latency: "latency"
            case .bandwidth: "bandwidth"
            case .slowClose: "slow_close"
            case .timeout: "timeout"
            case .resetPeer: "reset_peer"
            case .slicer: "slicer"
            case .limitData: "limit_data"
            case .packetLoss: "packet_loss"
            case .profile: "profile"
            }
        }
    }

    /// The profile that the link follows by this toxic; nil for toxics that act on streams.
    package var profile: Profile? { if case .profile(let profile, _) = effect { profile } else { nil } }
}

extension Duration {
    /// The longest duration of a toxic in milliseconds: a year.
    private static let longestOfToxic: Int64 = 31_536_000_000

    /// The duration of a toxic's milliseconds, at least 0 and at most a year.
    static func toxic(milliseconds: Int64) -> Duration { .milliseconds(min(max(milliseconds, 0), longestOfToxic)) }

    /// The duration of a toxic's microseconds, at least 0 and at most a year.
    static func toxic(microseconds: Int64) -> Duration {
        .microseconds(min(max(microseconds, 0), longestOfToxic * 1000))
    }
}
