internal import LinkModel
internal import NIOCore

/// One connection through the link: a client's socket, a stream of the model, and a socket to the real target.
///
/// The model decides when bytes arrive. The bytes wait here in order, in one ``ConnectionHalf`` per direction.
final class Connection {
    /// The stages of a connection.
    enum Phase {
        /// The request of a forward proxy's client is not yet complete.
        case awaitingRequest(RequestCollector)
        /// The connect attempt is on the modelled link.
        case connecting
        /// The link let the attempt through; the real target is being connected.
        case dialing
        case relaying
        /// The client asked for a page of the proxy itself; what it still sends is dropped.
        case serving
        /// A refusal has been written; what the client still sends is dropped.
        case refusing
        case ended
    }

    /// Where a connection leads; known after the client's request.
    struct Course {
        let mode: ProxyMode
        /// The target that the client asked for.
        let target: Endpoint
        /// The target that is really connected.
        let destination: Endpoint
        /// Bytes that go to the target first: the rewritten head of a forward proxy's request.
        var head: [UInt8] = []

        /// Whether the client waits for an answer that the target is connected; one that sends FIN meanwhile has left.
        var isTunnel: Bool {
            switch mode {
            case .tunnel, .socks: true
            case .forward, .reverse: false
            }
        }

        /// The answer that the target is connected; nil if the mode has none.
        ///
        /// `address`: the source address of the connection to the target.
        func answer(from address: SocketAddress?) -> ByteBuffer? {
            switch mode {
            case .tunnel: ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n")
            case .socks: SOCKSReply.succeeded.message(from: address)
            case .forward, .reverse: nil
            }
        }
    }

    /// Events of the model about the stream that were not yet acted upon.
    struct Notices {
        var connected: Instant?
        var failed: (failure: ConnectFailure, at: Instant)?
        /// The ends at which an RST has arrived.
        var resets: Set<End> = []
    }

    /// Its number in events: its place in the order of accept of all links, from 1.
    let id: Int
    /// Its place in the order of accept of its link, from 1.
    let order: Int
    /// Its place in the order of accept of its named proxy, from 1.
    let doorOrder: Int
    let engine: LinkEngine
    let entrance: LinkEngine.Entrance
    var client: SocketEnd?
    var host: SocketEnd?
    var phase = Phase.connecting
    var course: Course?
    /// The place in the body of the forward proxy's request; nil if all bytes are for the target.
    var body: RequestBody?
    /// The protocol in which the client of a forward proxy is answered.
    var dialect = Dialect.http
    var key: ConnectionKey
    var stream: StreamID?
    /// Bytes that the client sent before the target was connected.
    var early = ByteBuffer()
    var halves = PerDirection(both: ConnectionHalf())
    /// The toxics of each direction; nil if it has none.
    var pipes = PerDirection<ToxicPipe?>(both: nil)
    var notices = Notices()
    var deadline: Scheduled<Void>?
    /// Sends the events that follow a page.
    var follower: Task<Void, Never>?
    var missedEvents = 0
    var cause: CloseCause?
    /// Whether the client's first bytes have been searched for a request's path.
    var isKeyed = false
    /// Reads the server name from the first bytes of TLS; nil if there is no TLS or the search has ended.
    var serverName: ServerNameReader?
    /// The server name that it has read; nil without TLS.
    var tlsName: String?
    /// Whether it is in the engine's list of connections to settle.
    var isDirty = false
    /// Whether it is in the engine's list of connections whose reading has stopped.
    var isThrottled = false
    /// Whether it is in the engine's list of connections with traffic to report.
    var isBusy = false

    /// `order`: its place in the order of accept of its link.
    init(id: Int, order: Int, engine: LinkEngine, entrance: LinkEngine.Entrance) {
        self.id = id
        self.engine = engine
        self.entrance = entrance
        self.order = order
        key = .order(order)
        if case .door(let door) = entrance {
            door.value.accepted += 1
            doorOrder = door.value.accepted
        } else {
            doorOrder = order
        }
    }

    /// The named proxy that accepted it; nil if another listener did.
    var door: Door? { if case .door(let door) = entrance { door.value } else { nil } }

    subscript(end: End) -> SocketEnd? { end == .client ? client : host }

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// Runs `body` after `delay`, unless the deadline is cleared or replaced before.
    func setDeadline(_ delay: Duration, _ body: @escaping () -> Void) {
        deadline?.cancel()
        deadline = engine.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay), body)
    }

    func clearDeadline() {
        deadline?.cancel()
        deadline = nil
    }

    func emit(_ kind: LinkEvent.Kind, at: Instant? = nil) {
        engine.emit(kind, connection: id, at: at ?? engine.now)
    }
}

/// One direction of one connection.
struct ConnectionHalf {
    /// Bytes that were sent into the model and are not yet written to the receiver.
    var held = InFlightBytes()
    /// How many bytes of `held` the model has delivered; they are still to be written.
    var due = 0
    /// Whether the model has delivered the sender's FIN, which is still to be sent to the receiver.
    var isFinishDue = false
    /// Whether the sender's FIN was sent into the model.
    var hasFinished = false
    /// Whether that FIN stands for an RST, which arrives after the bytes that were sent before it.
    var endsByReset = false
    /// Whether that FIN stands for a close by a toxic, after which nothing is read from the receiver.
    var endsByClose = false
    /// Whether the receiver reads, as last reported to the model.
    var isReceiving = true
    /// Whether reading has stopped because enough bytes wait in front of the link.
    var isThrottled = false
    /// Payload bytes written towards the receiver.
    var delivered: Int64 = 0
    /// When the last of them were delivered.
    var deliveredAt = Instant(nanoseconds: 0)
    /// How much of `delivered` was reported in events, and when.
    var reported: Int64 = 0
    var reportedAt = Instant(nanoseconds: .min)
}
