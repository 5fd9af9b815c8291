internal import LinkModel
internal import NIOCore

/// One connection through the link: a client's socket, a stream of the model, and a socket to the real target.
///
/// The model decides when bytes arrive; the bytes themselves wait here, in order, in one ``ConnectionHalf`` a direction.
final class Connection {
    /// How far the connection is.
    enum Phase {
        /// A client of the forward proxy has not yet said where it wants to go.
        case awaitingRequest(RequestCollector)
        /// The connect attempt is on the modelled link.
        case connecting
        /// The link let it through; the real target is being connected.
        case dialing
        case relaying
        /// The client asked for a page of the proxy itself; what it still sends is thrown away.
        case serving
        /// A refusal has been written; what the client still sends is thrown away.
        case refusing
        case ended
    }

    /// Where a connection leads, once the client has said so.
    struct Course {
        let mode: ProxyMode
        /// What the client asked for.
        let target: Endpoint
        /// What is really connected.
        let destination: Endpoint
        /// What goes to the target before anything of the client: the rewritten request of the forward proxy.
        var head: [UInt8] = []

        /// Whether the client waits to be told that the target is there: one that sends FIN meanwhile has left.
        var isTunnel: Bool {
            switch mode {
            case .tunnel, .socks: true
            case .forward, .reverse: false
            }
        }

        /// What tells the client that the target is there; nil where nothing does.
        ///
        /// `address`: where the target sees it come from.
        func answer(from address: SocketAddress?) -> ByteBuffer? {
            switch mode {
            case .tunnel: ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n")
            case .socks: SOCKSReply.succeeded.message(from: address)
            case .forward, .reverse: nil
            }
        }
    }

    /// What the model has said of the stream and has not yet been acted upon.
    struct Notices {
        var connected: Instant?
        var failed: (failure: ConnectFailure, at: Instant)?
        var isResetAtClient = false
        var isResetAtHost = false
    }

    /// What events call it: its place in the order of accept of all links, from 1.
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
    /// The body of the forward proxy's request, as far as it has passed; nil where all bytes are for the target.
    var body: RequestBody?
    /// How the client of a forward proxy is answered.
    var dialect = Dialect.http
    var key: ConnectionKey
    var stream: StreamID?
    /// What the client sent before it was connected.
    var early = ByteBuffer()
    var halves = PerDirection(both: ConnectionHalf())
    /// The toxics of each direction; nil where bytes pass by none.
    var pipes = PerDirection<ToxicPipe?>(both: nil)
    var notices = Notices()
    var deadline: Scheduled<Void>?
    /// Sends what follows a page.
    var follower: Task<Void, Never>?
    var missedEvents = 0
    var cause: CloseCause?
    /// Its client's first bytes have been looked at for a path.
    var isKeyed = false
    /// Looks for the name of a server in the first bytes of TLS; nil where it does not, or no longer.
    var serverName: ServerNameReader?
    /// It stands in the engine's list of those to settle.
    var isDirty = false
    /// It stands in the engine's list of those whose reading has stopped.
    var isThrottled = false
    /// It stands in the engine's list of those with traffic to report.
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

    /// The named proxy that it came in by.
    var door: Door? { if case .door(let door) = entrance { door.value } else { nil } }

    subscript(end: End) -> SocketEnd? { end == .client ? client : host }

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// Runs `body` after `delay` unless the connection got on before.
    func setDeadline(_ delay: Duration, _ body: @escaping () -> Void) {
        deadline?.cancel()
        deadline = engine.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay), body)
    }

    func clearDeadline() {
        deadline?.cancel()
        deadline = nil
    }

    func emit(_ kind: LinkEvent.Kind, at: Instant? = nil) {
        engine.feed.emit(kind, connection: id, at: at ?? engine.now)
    }
}

/// One direction of one connection.
struct ConnectionHalf {
    /// Sent into the model, and not yet delivered by it.
    var held = InFlightBytes()
    /// Of `held`: what the model has delivered, and what is still to be written.
    var due = 0
    /// The model has delivered the sender's FIN.
    var isFinishDue = false
    /// The sender has sent its FIN into the model.
    var hasFinished = false
    /// That FIN stands for an RST, which follows what was sent before it as a FIN does.
    var endsByReset = false
    /// That FIN stands for a close by a toxic, after which nothing is read from the receiver.
    var endsByClose = false
    /// What the model believes of the receiver: whether it reads.
    var isReceiving = true
    /// Reading stopped because enough waits in front of the link.
    var isThrottled = false
    /// Payload bytes written towards the receiver.
    var delivered: Int64 = 0
    /// When the last of them arrived.
    var deliveredAt = Instant(nanoseconds: 0)
    /// What of `delivered` has been told, and when.
    var reported: Int64 = 0
    var reportedAt = Instant(nanoseconds: .min)
}
