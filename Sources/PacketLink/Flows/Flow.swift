internal import LinkModel

/// A conversation between the two ends: a TCP connection, or the packets between two UDP ports.
struct Flow {
    let key: FlowKey
    /// `#3` for the third TCP connection, `udp#3` for the third pair of UDP ports, by the order of first packets; of a TCP
    /// connection whose first request is known, ``LinkModel/ConnectionKey``.
    private(set) var name: String
    /// ``LinkModel/KeyedRandom/streamKey(_:)`` of the name.
    private(set) var stream: UInt64
    /// The same of another name that schedules may have for it; 0: there is none.
    private(set) var alias: UInt64 = 0
    /// Counted from 1 over all flows of its kind.
    let place: Int
    /// Counted from 1 over all flows of the link.
    let ordinal: Int
    let generation: UInt32

    /// Whether the first bytes of the client have been looked at.
    var isKeyed = false
    var isClosed = false
    /// A schedule has ended it: what its ends still send is refused.
    var isCut = false
    /// Has bytes that no event has told of yet.
    var isDirty = false
    /// Seen in both directions: no flood from one side takes its place.
    var isSettled = false
    /// Neighbours in the order of last use.
    var previous: Int32 = -1
    var next: Int32 = -1

    init(key: FlowKey, place: Int, ordinal: Int, generation: UInt32, random: KeyedRandom) {
        self.key = key
        self.place = place
        name = key.family == .tcp ? "\(ConnectionKey.order(place))" : "\(key.family.rawValue)#\(place)"
        stream = random.streamKey(name)
        self.ordinal = ordinal
        self.generation = generation
    }

    /// Lets random decisions follow another name from now on.
    mutating func rename(_ key: ConnectionKey, random: KeyedRandom) {
        name = key.description
        stream = random.streamKey(name)
        alias = key.alias.map { random.streamKey($0) } ?? 0
    }
}
