internal import LinkModel

/// The random decisions of one toxic on one connection.
///
/// As on a link, each decision has a key: seed, proxy, toxic, the connection's place in the proxy's order of accept,
/// and the place in the stream. So no toxic shifts the decisions of another, and the same run decides the same again.
struct ToxicDice {
    private let random: KeyedRandom
    private let stream: UInt64
    private let direction: Direction

    init(seed: UInt64, proxy: String, toxic: Toxic, order: Int) {
        random = KeyedRandom(seed: seed)
        direction = toxic.direction
        // Names may have any character; their lengths mark where each ends.
        stream = random.streamKey("toxic \(proxy.utf8.count) \(proxy) \(toxic.name.utf8.count) \(toxic.name) \(order)")
    }

    /// A random number from 0 to below 1, for the `nth` decision at the byte `place` of the stream.
    func roll(_ rule: KeyedRandom.Rule, at place: Int64 = 0, nth: Int = 1) -> Double {
        random.unit(
            rule, KeyedRandom.Subject(stream: stream, direction: direction, slot: place, transmission: nth))
    }
}
