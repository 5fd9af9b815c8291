internal import LinkModel

/// The state of one named proxy: its connections lead to one target, through its toxics.
final class Door {
    let name: String
    /// The target of connections that are accepted from now on.
    var target: Endpoint
    /// The toxics in the order in which they were added.
    var toxics: [Toxic] = []
    /// The open connections, by their number.
    var connections: [Int: Connection] = [:]
    /// The number of connections accepted so far.
    var accepted = 0
    /// Bytes read from the sender of each direction, and written to its receiver.
    var received = PerDirection<Int64>(both: 0)
    var sent = PerDirection<Int64>(both: 0)
    let seed: UInt64

    init(name: String, target: Endpoint, seed: UInt64) {
        self.name = name
        self.target = target
        self.seed = seed
    }

    /// The toxics that act on streams of a direction.
    func toxics(_ direction: Direction) -> [Toxic] {
        toxics.filter { $0.direction == direction && $0.profile == nil }
    }

    /// The random decisions of a toxic on the `order`-th connection that was accepted.
    func dice(_ toxic: Toxic, order: Int) -> ToxicDice {
        ToxicDice(seed: seed, proxy: name, toxic: toxic, order: order)
    }

    /// Applies the toxics to open connections too.
    func applyToxics() {
        for connection in connections.values.sorted(by: { $0.id < $1.id }) { connection.applyToxics() }
    }

    /// Closes every connection, without RST.
    func closeConnections() {
        for connection in connections.values.sorted(by: { $0.id < $1.id }) {
            connection.cause = .linkClosed
            connection.finish(resets: false)
        }
    }
}
