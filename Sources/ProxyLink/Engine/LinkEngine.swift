internal import Glibc
internal import LinkModel
internal import NIOCore

/// The link at work: one model, all connections, on one event loop.
///
/// What happens on sockets goes into the model; what the model says is noted first and acted upon after, in ``pump()``,
/// so that a socket's callback in the middle of a write finds everything in order.
final class LinkEngine {
    /// Which listener took a client in.
    enum Entrance {
        case forward
        case reverse(Endpoint)
        /// A named proxy's.
        case door(NIOLoopBound<Door>)
    }

    /// Connects to a target that is admitted, with the options of the tuning, and with reading off.
    typealias Dial = (Endpoint, SocketTuning, Admission) -> EventLoopFuture<any Channel>

    /// Shortest time between two reports on one direction of a connection.
    static let reportTime = Duration.milliseconds(10)

    let eventLoop: any EventLoop
    let configuration: ProxyLinkConfiguration
    let dial: Dial
    /// The clock of the meter, which is read apart from that of the model.
    let meterClock: () -> Instant
    var model: StreamLink
    let commons: EngineCommons
    var feed: EventFeed { commons.feed }
    var record: FaultRecord
    var meter: Meter<PerDirection<Int64>>
    /// The conditions that are in force, as far as sockets have been told.
    var conditions: LinkConditions
    var tuning: SocketTuning
    /// What reads of an unshaped link may bring.
    let readLimit = ReadSizeLimit()
    /// Whether bytes pass by the model: the link is unshaped, and will stay so.
    var isDirect = false
    var generation = 0
    /// A profile that was set while the link was up, and since when.
    var liveProfile: (profile: Profile, start: Instant)?
    /// Whether the profile that the link came up with no longer holds.
    var isOverridden = false

    var connections: [Int: Connection] = [:]
    var listeners: [any Channel] = []
    /// Where the reverse listeners listen, and lead.
    var reverseTargets: [Endpoint: Endpoint] = [:]
    var accepted = 0
    var refused = 0
    /// Payload bytes written towards their receivers.
    var delivered = PerDirection<Int64>(both: 0)
    /// Of these: past the model.
    var relayed = PerDirection<Int64>(both: 0)
    /// Of these: by ``Connection/splice(from:)``.
    var spliced = PerDirection<Int64>(both: 0)
    var isStopped = false

    let start: Instant
    /// Whether events end with this engine, and whether its conditions are among them.
    private let ownsFeed: Bool
    var streams: [StreamID: Connection] = [:]
    /// Which connection has a key.
    var owners: [String: Int] = [:]
    var keys = ConnectionKeys()
    /// Those about which the model has said something since the last time.
    var dirty: [Connection] = []
    /// Those that are not read from because enough waits in front of the link.
    var throttled: [Connection] = []
    /// Those with traffic since the last report.
    var busy: [Connection] = []
    var reporter: Scheduled<Void>?
    var timer: (at: Instant, task: Scheduled<Void>)?
    var isPumping = false

    /// `commons`: what it shares with other engines of its event loop; nil where it is the first.
    init(
        _ configuration: ProxyLinkConfiguration,
        eventLoop: any EventLoop,
        meterClock: @escaping () -> Instant,
        commons: EngineCommons? = nil,
        dial: @escaping Dial
    ) {
        self.commons = commons ?? EngineCommons(configuration.limits)
        ownsFeed = commons == nil
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
        noteConditions(at: start)
        pump()
    }

    var now: Instant { Instant(eventLoop.now) }

    /// What is connected for a client that asks the proxy for `target`; nil where it is not allowed.
    ///
    /// A client that asks for a reverse listener of this link is led to where that leads: its bytes cross the link once.
    func destination(for target: Endpoint) -> Endpoint? {
        let address = target.host == "localhost" ? Endpoint(host: "127.0.0.1", port: target.port) : target
        if let target = reverseTargets[address] { return destination(ofReverse: target) }
        return configuration.routes.destination(for: target)
    }

    /// What is connected for the target of a reverse listener.
    func destination(ofReverse target: Endpoint) -> Endpoint { configuration.routes.routes[target] ?? target }

    /// Who asks for what on this connection, for its targets' addresses to be checked.
    func admission(of connection: Connection, to course: Connection.Course) -> Admission {
        Admission(
            target: course.target, client: connection.client?.channel.remoteAddress,
            isGiven: course.mode == .reverse || configuration.routes.routes[course.target] != nil,
            apis: commons.apis, allowed: configuration.allowed)
    }

    /// Takes in a client; its channel must not yet be active.
    func accept(_ channel: any Channel, by entrance: Entrance) {
        accepted += 1
        commons.lastConnection += 1
        let connection = Connection(
            id: commons.lastConnection, order: accepted, engine: self, entrance: entrance)
        let end = SocketEnd(.client, channel: channel, connection: connection)
        guard !isStopped, commons.openConnections < commons.mostConnections,
            (try? channel.pipeline.syncOperations.addHandler(end)) != nil
        else {
            refused += 1
            feed.emit(.refused(reason: Refusal.tooMany.details), connection: connection.id, at: now)
            end.reset()
            return
        }
        end.tune(tuning, readLimit)
        connection.client = end
        commons.openConnections += 1
        connections[connection.id] = connection
        connection.door?.connections[connection.id] = connection
    }

    /// Ends all connections and takes in no more.
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
        if ownsFeed { feed.finish() }
    }

    /// Tells which conditions hold; those of a named proxy's link are told to who asks for them.
    func noteConditions(at now: Instant) {
        guard ownsFeed else { return }
        feed.emit(.conditions(conditions: conditions, generation: generation), connection: 0, at: now)
    }
}

/// The stream of events, with a bound: what is not read in time is counted, not kept.
final class EventFeed {
    let events: AsyncStream<LinkEvent>
    private let continuation: AsyncStream<LinkEvent>.Continuation
    private(set) var dropped = 0
    /// Those who follow besides the first reader.
    private var followers: [Int: AsyncStream<LinkEvent>.Continuation] = [:]
    private var lastFollower = 0
    /// Whether the first reader hears of what is delivered; those who follow always do.
    private let tellsDeliveries: Bool

    init(limit: Int, tellsDeliveries: Bool = true) {
        self.tellsDeliveries = tellsDeliveries
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(limit))
    }

    func emit(_ kind: LinkEvent.Kind, connection: Int, at: Instant) {
        let event = LinkEvent(at: at, connection: connection, kind: kind)
        if tellsDeliveries || !kind.isDelivery, case .dropped = continuation.yield(event) { dropped += 1 }
        for (id, follower) in followers {
            if case .terminated = follower.yield(event) { followers[id] = nil }
        }
    }

    /// Whether a reader hears of what is delivered.
    var hasDeliveryReaders: Bool { tellsDeliveries || !followers.isEmpty }

    /// What is emitted from now on, for one more reader.
    func follow(limit: Int) -> AsyncStream<LinkEvent> {
        let (events, continuation) = AsyncStream.makeStream(
            of: LinkEvent.self, bufferingPolicy: .bufferingNewest(limit))
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

/// How many connections this process may hold descriptors for.
enum DescriptorLimit {
    /// Kept for everything else that the process opens.
    private static let reserve = 64

    /// Two sockets a connection (getrlimit(2): RLIMIT_NOFILE); 1 at least.
    static var pairs: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1 }
        return max(1, (Int(clamping: limit.rlim_cur) - reserve) / 2)
    }
}
