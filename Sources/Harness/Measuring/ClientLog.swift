import Events
import FoundationEssentials
import Results

/// Everything that a client told of itself during one attempt.
struct ClientLog: Sendable {
    /// One request of the workload, as the client told it.
    struct Request: Sendable {
        var id: String
        var tags: [String]
        var beganAt: Int64
        var endedAt: Int64?
        var callbacks = 0
        var isAvailable = false
        var error: (domain: String, code: Int, errorClass: String?, message: String?)?
        var progress: [ProgressSample] = []
        var total: Int64?
        /// Whether the system began it, which fetches beforehand.
        var isPrefetch = false
        /// Which version of the app began it.
        var version = 1
        /// What the app had then: packs, and the versions that they are of.
        var held: [String: Int] = [:]
        /// When the app held it back; one that was not let go on lasts for ever.
        var pauses: [ClosedRange<Int64>] = []
    }

    /// Most events that are kept of an attempt, and most bytes of their lines.
    ///
    /// Twenty a second for more than an hour.
    static let mostEvents = 100_000
    static let mostBytes = 32 << 20

    private let mostEvents: Int
    private let mostBytes: Int

    private(set) var events: [ClientEvent] = []
    private(set) var requests: [Request] = []
    /// Lines that came when enough were kept, and that nobody has read.
    private(set) var unreadLines = 0
    private var bytes = 0
    /// The newest request of each name.
    private var newest: [String: Int] = [:]
    /// When requests were begun that an earlier run of the client did not live to see answered.
    private var begunBefore: [String: Int64] = [:]
    /// Events with a time at which they cannot have been told.
    private(set) var misplacedLines = 0
    /// Lines that are no events.
    private(set) var strayLines = 0
    /// The first line that does not follow the one before it, by their numbers; nil where all do, or have none.
    private(set) var gap: (after: Int, found: Int)?
    private var lastNumber = 0
    private(set) var hasStarted = false
    private(set) var exitStatus: Int?
    private(set) var mostStored: Int64?
    /// Bytes that were purged beyond what was needed; nil where the client told of no room that it made.
    private(set) var overpurged: Int64?
    /// Bytes of packs' answers that came; nil while the client told of none, as an older one does.
    private(set) var receivedBytes: Int64?
    /// What the client told of its app's life.
    private(set) var life = ClientLife()

    private let isBuiltIn: Bool

    /// What a foreign client has, nobody knows.
    init(mostEvents: Int = Self.mostEvents, mostBytes: Int = Self.mostBytes, isBuiltIn: Bool = false) {
        self.isBuiltIn = isBuiltIn
        self.mostEvents = mostEvents
        self.mostBytes = mostBytes
    }

    /// Takes one line of the stream in; nil where it is no event, or one too many, or not of these times.
    ///
    /// Without times every event is taken in, whatever time it tells.
    mutating func append(line: [UInt8], within times: ClosedRange<Int64>? = nil) -> ClientEvent? {
        guard events.count < mostEvents, bytes < mostBytes else {
            unreadLines += 1
            return nil
        }
        guard let event = try? JSONDecoder().decode(ClientEvent.Line.self, from: Data(line)).event else {
            strayLines += line.isEmpty ? 0 : 1
            return nil
        }
        bytes += line.count
        if let times, !times.contains(event.t) {
            misplacedLines += 1
            return nil
        }
        events.append(event)
        if let number = event.n {
            if gap == nil, lastNumber == .max || number != lastNumber + 1 { gap = (lastNumber, number) }
            lastNumber = number
        }
        life.note(event)
        switch event.kind {
        case .start: hasStarted = true
        case .exit: exitStatus = event.status
        // An older client tells what is there, and not what was while it unpacked.
        case .usage: mostStored = max(mostStored ?? 0, event.peak ?? 0, event.stored ?? 0)
        case .room:
            let more = max(0, (event.freed ?? 0) - (event.needed ?? 0))
            overpurged = (overpurged ?? 0).addingClamped(more)
        case .fetch where event.isAboutPack: receivedBytes = receivedBytes ?? 0
        case .received where event.isAboutPack: count(received: event.bytes ?? 0)
        default: note(event)
        }
        return event
    }

    /// Begins the log of another run of the same client: its lines are numbered from 1, and its workload begins anew.
    ///
    /// Events, and what was counted of all runs, stay. Who waits for a request has waited since it was begun first.
    mutating func begin() {
        for request in requests where begunBefore[request.id] == nil { begunBefore[request.id] = request.beganAt }
        (requests, newest, lastNumber, hasStarted, exitStatus) = ([], [:], 0, false, nil)
        life = ClientLife()
    }

    /// Counts further bytes; a client that says it got more than can be counted got as many as can.
    private mutating func count(received more: Int64) {
        receivedBytes = (receivedBytes ?? 0).addingClamped(more)
    }

    private mutating func note(_ event: ClientEvent) {
        guard let id = event.id else { return }
        if event.kind == .request {
            newest[id] = requests.count
            requests.append(
                Request(
                    id: id, tags: event.tags ?? [], beganAt: begunBefore[id] ?? event.t,
                    isPrefetch: event.prefetch ?? false, version: life.version, held: isBuiltIn ? life.held : [:]))
            return
        }
        guard let index = newest[id] else { return }
        switch event.kind {
        case .progress:
            requests[index].progress.append(ProgressSample(at: event.t, fraction: event.fraction ?? .nan))
            requests[index].total = event.total ?? requests[index].total
        case .available, .error:
            requests[index].callbacks += 1
            guard requests[index].endedAt == nil else { return }
            requests[index].endedAt = event.t
            requests[index].isAvailable = event.kind == .available
            if event.kind == .error {
                requests[index].error = (event.domain ?? "", event.code ?? 0, event.class, event.message)
            }
        case .paused:
            if requests[index].pauses.last?.upperBound != .max { requests[index].pauses.append(event.t...(.max)) }
        case .resumed:
            guard let pause = requests[index].pauses.last, pause.upperBound == .max else { return }
            requests[index].pauses[requests[index].pauses.count - 1] =
                pause.lowerBound...max(pause.lowerBound, event.t)
        default:
            break
        }
    }
}

extension Int64 {
    /// The sum, or the most that can be counted.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}
