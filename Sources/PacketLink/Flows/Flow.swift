/// A conversation between the two ends: a TCP connection, or the packets between two UDP ports.
struct Flow {
    let key: FlowKey
    /// `#3` for the third TCP connection, `udp#3` for the third pair of UDP ports, by the order of first packets.
    let name: String
    /// ``KeyedRandom/streamKey(_:)`` of the name.
    let stream: UInt64
    /// Counted from 1 over all flows of the link.
    let ordinal: Int
    let generation: UInt32

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

    init(key: FlowKey, name: String, stream: UInt64, ordinal: Int, generation: UInt32) {
        self.key = key
        self.name = name
        self.stream = stream
        self.ordinal = ordinal
        self.generation = generation
    }
}
