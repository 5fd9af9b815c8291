internal import LinkModel

/// A conversation between the two ends: a TCP connection, or the packets between two UDP ports.
struct Flow {
    let key: FlowKey
    /// Its name, by the order of first packets: `#3` for the third TCP connection, `udp#3` for the third UDP flow.
    ///
    /// For a TCP connection whose first request is known, it is the ``LinkModel/ConnectionKey``.
    private(set) var name: String
    /// ``LinkModel/KeyedRandom/streamKey(_:)`` of the name.
    private(set) var stream: UInt64
    /// The stream key of another name that schedules may have for it; 0 if there is none.
    private(set) var alias: UInt64 = 0
    /// Its number among the flows of its protocol, from 1.
    let place: Int
    /// Its number among all flows of the link, from 1.
    let ordinal: Int
    let generation: UInt32

    /// Whether the client's first bytes have been searched for a request.
    var isKeyed = false
    var isClosed = false
    /// Whether a schedule has cut it: packets that its ends still send are refused.
    var isCut = false
    /// Whether it has delivered bytes that no event has reported yet.
    var isDirty = false
    /// Whether it had packets in both directions, so that a flood from one side does not replace it.
    var isSettled = false
    /// The slots of its neighbours in the order of last use; −1 if there is none.
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

    /// Gives it another name, which keys random decisions from now on.
    mutating func rename(_ key: ConnectionKey, random: KeyedRandom) {
        name = key.description
        stream = random.streamKey(name)
        alias = key.alias.map { random.streamKey($0) } ?? 0
    }
}
