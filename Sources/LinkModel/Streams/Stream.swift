/// One connection of a ``StreamLink``: its two halves and how far its handshake is.
struct Stream: Sendable {
    enum Phase: Sendable {
        case lookingUp
        case connecting
        case open
        /// Failed or reset: nothing more happens on it.
        case dead
    }

    /// What one end sends, and what the other end has received of it.
    struct Half: Sendable {
        var sender: StreamSender
        var receiver: StreamReceiver
        /// Whether this end may send: the client once connected, the host once the SYN has come.
        var isUp = false

        /// Handles a segment of this half that has arrived.
        mutating func arrive(
            offset: Int64, isFinish: Bool, transmission: Int, at now: Instant, parameters: TransportParameters
        ) -> StreamReceiver.Outcome {
            receiver.arrive(
                at: sender.index(of: offset, isFinish: isFinish), transmission: transmission, offset: offset,
                sender: &sender, now: now, parameters: parameters)
        }

        /// Handles an acknowledgement of all arrivals up to `ordinal` that has come back.
        mutating func acknowledge(upTo ordinal: Int64, at now: Instant) {
            sender.acknowledge(receiver.covered(by: ordinal), at: now)
        }
    }

    let id: StreamID
    var key: String
    var hash: UInt64
    /// Another name that schedules may have for it, and its number; nil and 0: there is none.
    var alias: String?
    var aliasHash: UInt64 = 0
    let lookup: String?
    var phase = Phase.connecting
    var attempts = 0
    /// How often the host has answered a SYN, and how long the handshake took.
    var answers = 0
    var handshake: Duration?
    /// How many bytes may arrive in each direction before the connection is cut.
    var cut = StreamCuts.Places(both: nil)
    /// When the timer of each kind fires; nil: it is not set.
    var scheduled: [Instant?] = Array(repeating: nil, count: TimerKind.count)
    private var client: Half
    private var host: Half

    init(
        id: StreamID,
        key: String,
        hash: UInt64,
        lookup: String?,
        segmentBytes: Int,
        parameters: TransportParameters
    ) {
        self.id = id
        self.key = key
        self.hash = hash
        self.lookup = lookup
        client = Half(
            sender: StreamSender(segmentBytes: segmentBytes, parameters: parameters),
            receiver: StreamReceiver(parameters: parameters))
        host = client
    }

    /// Stands in a slot without a stream: no identifier finds it, and nothing happens on it.
    static func vacant(_ parameters: TransportParameters) -> Stream {
        var stream = Stream(
            id: StreamID(slot: -1, generation: 0), key: "", hash: 0, lookup: nil, segmentBytes: 1,
            parameters: parameters)
        stream.phase = .dead
        return stream
    }

    /// Gives the host a sample of the handshake, unless it is unknown which of its answers was acknowledged (RFC 6298
    /// §3).
    mutating func timeHandshakeAtHost() {
        guard let handshake else { return }
        self.handshake = nil
        if answers == 1 { host.sender.handshake(took: handshake) }
    }

    /// What this end sends.
    subscript(end: End) -> Half {
        _read {
            switch end {
            case .client: yield client
            case .host: yield host
            }
        }
        _modify {
            switch end {
            case .client: yield &client
            case .host: yield &host
            }
        }
    }
}

/// What a timer of a stream is for.
enum TimerKind: Sendable, Hashable {
    case handshake
    case retransmission(End)
    case reordering(End)
    /// The delayed acknowledgement of the data that this end sends.
    case acknowledgement(End)
    case answer

    static let count = 8

    var index: Int {
        switch self {
        case .handshake: 0
        case .retransmission(let end): end == .client ? 1 : 2
        case .reordering(let end): end == .client ? 3 : 4
        case .acknowledgement(let end): end == .client ? 5 : 6
        case .answer: 7
        }
    }
}

/// Something to do for a stream at a moment.
struct Timer: Comparable, Sendable {
    var at: Instant
    var stream: StreamID
    var kind: TimerKind

    static func < (left: Self, right: Self) -> Bool {
        (left.at, left.stream.generation, left.kind.index) < (right.at, right.stream.generation, right.kind.index)
    }
}

/// The packets under way, by their tokens in the pipes.
struct Transit: Sendable {
    enum Kind: Sendable {
        /// A SYN, with the time at which it was sent; the answer echoes it (RFC 7323).
        case synchronize(sentAt: Instant)
        case synchronizeAcknowledge(echo: Instant)
        case data(offset: Int64, isFinish: Bool, transmission: Int)
        case acknowledgement(ordinal: Int64)
        case query
        case answer(exists: Bool)
        case reset
    }

    struct Entry: Sendable {
        var stream: StreamID
        var kind: Kind
        var from: End
    }

    private var entries: [Entry?] = []
    private var free: [Int] = []

    mutating func insert(_ entry: Entry) -> UInt64 {
        if let index = free.popLast() {
            entries[index] = entry
            return UInt64(index)
        }
        entries.append(entry)
        return UInt64(entries.count - 1)
    }

    @discardableResult
    mutating func remove(_ token: UInt64) -> Entry? {
        let index = Int(token)
        defer {
            entries[index] = nil
            free.append(index)
        }
        return entries[index]
    }
}
