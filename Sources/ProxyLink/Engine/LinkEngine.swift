package import LinkModel
internal import NIOCore

/// A link that is up: its model and all its connections, on one event loop.
///
/// Events of sockets go into the model. Events of the model are noted first, and ``pump()`` acts upon them later. So
/// a socket's callback in the middle of a write finds a consistent state.
final class LinkEngine {
    /// The kind of listener that accepted a client.
    enum Entrance {
        case forward
        case reverse(Endpoint)
        /// That of a named proxy.
        case door(NIOLoopBound<Door>)
    }

    /// Connects to a target that the admission allows, with the options of the tuning; the channel does not yet read.
    typealias Dial = (Endpoint, SocketTuning, Admission) -> EventLoopFuture<any Channel>

    /// The shortest time between two reports on one direction of a connection: 10 ms.
    static let reportTime = Duration.milliseconds(10)

    /// The time between two reports without a reader: 250 ms, because each report may delay bytes that arrive with it.
    static let unreadReportTime = Duration.milliseconds(250)

    let eventLoop: any EventLoop
    let configuration: ProxyLinkConfiguration
    let dial: Dial
    /// The clock of the meter, which is independent of the model's.
    let meterClock: () -> Instant
    var model: StreamLink
    let commons: EngineCommons
    var feed: EventFeed { commons.feed }
    var record: FaultRecord
    var meter: Meter<PerDirection<Int64>>
    /// The conditions that hold, as last applied to the sockets.
    var conditions: LinkConditions
    var tuning: SocketTuning
    /// What the link followed before the profile of a toxic; nil while there is no such toxic.
    var covered: ConditionSource?
    /// The limit on the size of a read on an unshaped link.
    let readLimit = ReadSizeLimit()
    /// Whether bytes bypass the model: the link is unshaped, and will stay so.
    var isDirect = false

    var connections: [Int: Connection] = [:]
    var listeners: [any Channel] = []
    /// The target of each reverse listener, by the address at which it listens.
    var reverseTargets: [Endpoint: Endpoint] = [:]
    /// What the engine itself has counted; ``counters()`` adds the rest.
    var counted = ProxyCounters()
    var isStopped = false

    let start: Instant
    /// The name of its link; nil for the link of the proxy's own listeners, which ends the events.
    let name: String?
    var streams: [StreamID: Connection] = [:]
    /// The number of the connection that has a key, by key.
    var owners: [String: Int] = [:]
    var keys = ConnectionKeys()
    /// Connections with events of the model that were not yet acted upon.
    var dirty: [Connection] = []
    /// Connections that are not read from because enough bytes wait in front of the link.
    var throttled: [Connection] = []
    /// Connections with traffic since the last report.
    var busy: [Connection] = []
    var reporter: Scheduled<Void>?
    var timer: (at: Instant, task: Scheduled<Void>)?
    var isPumping = false

    /// `named`: the name of its link, and what it shares with other engines of its event loop; nil if it is the first.
    init(
        _ configuration: ProxyLinkConfiguration,
        eventLoop: any EventLoop,
        meterClock: @escaping () -> Instant,
        named: (name: String, commons: EngineCommons)? = nil,
        dial: @escaping Dial
    ) {
        commons = named?.commons ?? EngineCommons(configuration.limits)
        name = named?.name
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.meterClock = meterClock
        self.dial = dial
        meter = Meter(capacity: configuration.limits.samples)
        start = Instant(eventLoop.now)
        model = StreamLink(
            profile: configuration.profile, seed: configuration.seed, start: start, schedule: configuration.schedule)
        record = FaultRecord(
            seed: model.seed, profile: configuration.profile.fingerprint, limit: configuration.limits.decisions)
        conditions = model.conditions
        isDirect = configuration.profile.isUnshaped && !configuration.hasPacketFaults
        tuning = SocketTuning(configuration.profile.withTraceRates(conditions), isShaped: !isDirect)
        // A named link may still fail to come up, so its first conditions are no event.
        if named == nil { noteConditions(at: start) }
        pump()
    }

    var now: Instant { Instant(eventLoop.now) }

    /// The address to connect for a client that asks the proxy for `target`; nil if the target is not allowed.
    ///
    /// A client that asks for a reverse listener of this link gets that listener's target, so that its bytes cross the
    /// link only once.
    func destination(for target: Endpoint) -> Endpoint? {
        let address = target.host == "localhost" ? Endpoint(host: "127.0.0.1", port: target.port) : target
        if let target = reverseTargets[address] { return destination(ofReverse: target) }
        return configuration.routes.destination(for: target)
    }

    /// The address to connect for the target of a reverse listener.
    func destination(ofReverse target: Endpoint) -> Endpoint { configuration.routes.routes[target] ?? target }

    /// The client, its target and the rules by which the target's addresses are checked.
    func admission(of connection: Connection, to course: Connection.Course) -> Admission {
        Admission(
            target: course.target, client: connection.client?.channel.remoteAddress,
            isGiven: course.mode == .reverse || configuration.routes.routes[course.target] != nil,
            apis: commons.apis, allowed: configuration.allowed)
    }

    /// Accepts a client, or resets it if there are too many; its channel must not yet be active.
    func accept(_ channel: any Channel, by entrance: Entrance) {
        counted.accepted += 1
        commons.lastConnection += 1
        let connection = Connection(
            id: commons.lastConnection, order: counted.accepted, engine: self, entrance: entrance)
        let end = SocketEnd(.client, channel: channel, connection: connection)
        guard !isStopped, commons.openConnections < commons.mostConnections,
            (try? channel.pipeline.syncOperations.addHandler(end)) != nil
        else {
            counted.refused += 1
            emit(.refused(reason: Refusal.tooMany.details), connection: connection.id, at: now)
            end.reset()
            return
        }
        end.tune(tuning, readLimit)
        connection.client = end
        commons.openConnections += 1
        connections[connection.id] = connection
        connection.door?.connections[connection.id] = connection
    }

    /// Ends all connections and accepts no more.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        for connection in connections.values.sorted(by: { $0.id < $1.id }) {
            connection.cause = .linkClosed
            connection.finish()
        }
        reporter?.cancel()
        timer?.task.cancel()
        recordMeter()
        // A connection keeps its engine in memory, so the engine must not keep connections.
        (dirty, throttled, busy) = ([], [], [])
        if name == nil { feed.finish() }
    }

    /// Emits the conditions as an event.
    func noteConditions(at now: Instant) {
        emit(.conditions(conditions: conditions, generation: counted.generation), connection: 0, at: now)
    }

    func emit(_ kind: LinkEvent.Kind, connection: Int, at: Instant) {
        feed.emit(LinkEvent(at: at, connection: connection, link: name, kind: kind))
    }
}

/// An event and its number among those of its proxy, from 1: a gap says that events are missing.
package typealias NumberedEvent = (number: Int, event: LinkEvent)

/// The stream of events, with a bound: events that are not read in time are counted, not kept.
final class EventFeed {
    let events: AsyncStream<LinkEvent>
    private let continuation: AsyncStream<LinkEvent>.Continuation
    private(set) var dropped = 0
    /// The readers besides the first one.
    private var followers: [Int: AsyncStream<NumberedEvent>.Continuation] = [:]
    private var lastFollower = 0
    private var emitted = 0
    /// Whether the first reader gets events of deliveries; the other readers always get them.
    private let tellsDeliveries: Bool

    init(limit: Int, tellsDeliveries: Bool = true) {
        self.tellsDeliveries = tellsDeliveries
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(limit))
    }

    func emit(_ event: LinkEvent) {
        if tellsDeliveries || !event.kind.isDelivery, case .dropped = continuation.yield(event) { dropped += 1 }
        emitted += 1
        for (id, follower) in followers {
            if case .terminated = follower.yield((emitted, event)) { followers[id] = nil }
        }
    }

    /// Whether any reader gets events of deliveries.
    var hasDeliveryReaders: Bool { tellsDeliveries || !followers.isEmpty }

    /// Adds a reader, and returns the events from now on; the oldest are dropped if more than `limit` wait.
    func follow(limit: Int) -> AsyncStream<NumberedEvent> {
        let (events, continuation) = AsyncStream.makeStream(
            of: NumberedEvent.self, bufferingPolicy: .bufferingNewest(limit))
        lastFollower += 1
        followers[lastFollower] = continuation
        return events
    }

    func finish() {
        continuation.finish()
        for follower in followers.values { follower.finish() }
        followers = [:]
    }
}

extension LinkEvent.Kind {
    fileprivate var isDelivery: Bool { if case .delivered = self { true } else { false } }
}
