internal import LinkModel

/// The random decisions of one toxic on one connection.
///
/// They are keyed, as those of a link: by seed, proxy, toxic, the connection's place in the proxy's order of accept, and the place in the
/// stream. What one toxic does shifts no decision of another one, and the same run decides the same again.
struct ToxicDice {
    private let random: KeyedRandom
    private let stream: UInt64
    private let direction: Direction

    init(seed: UInt64, proxy: String, toxic: Toxic, order: Int) {
        random = KeyedRandom(seed: seed)
        direction = toxic.direction
        // Names may hold any character; their lengths tell where one ends.
        stream = random.streamKey("toxic \(proxy.utf8.count) \(proxy) \(toxic.name.utf8.count) \(toxic.name) \(order)")
    }

    /// A number, 0 or more and below 1, for what is decided at `place` of the stream for the `nth` time.
    func roll(_ rule: KeyedRandom.Rule, at place: Int64 = 0, nth: Int = 1) -> Double {
        random.unit(
            rule, KeyedRandom.Subject(stream: stream, direction: direction, slot: place, transmission: nth))
    }
}
