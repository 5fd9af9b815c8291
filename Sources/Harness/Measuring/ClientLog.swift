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
    }

    private(set) var events: [ClientEvent] = []
    private(set) var requests: [Request] = []
    /// Lines that are no events.
    private(set) var strayLines = 0
    /// The first line that does not follow the one before it, by their numbers; nil where all do, or have none.
    private(set) var gap: (after: Int, found: Int)?
    private var lastNumber = 0
    private(set) var hasStarted = false
    private(set) var exitStatus: Int?
    private(set) var mostStored: Int64?
    /// Bytes of packs' answers that came; nil while the client told of none, as an older one does.
    private(set) var receivedBytes: Int64?

    /// Takes one line of the stream in.
    mutating func append(line: [UInt8]) -> ClientEvent? {
        guard let event = ClientEvent(line: line) else {
            strayLines += line.isEmpty ? 0 : 1
            return nil
        }
        events.append(event)
        if let number = event.n {
            if gap == nil, lastNumber == .max || number != lastNumber + 1 { gap = (lastNumber, number) }
            lastNumber = number
        }
        switch event.event {
        case "start": hasStarted = true
        case "exit": exitStatus = event.status
        case "usage": mostStored = max(mostStored ?? 0, event.stored ?? 0)
        case "fetch" where event.isAboutPack: receivedBytes = receivedBytes ?? 0
        case "received" where event.isAboutPack: receivedBytes = (receivedBytes ?? 0) + (event.bytes ?? 0)
        default: note(event)
        }
        return event
    }

    private mutating func note(_ event: ClientEvent) {
        guard let id = event.id else { return }
        if event.event == "request" {
            requests.append(Request(id: id, tags: event.tags ?? [], beganAt: event.t))
            return
        }
        guard let index = requests.lastIndex(where: { $0.id == id }) else { return }
        switch event.event {
        case "progress":
            requests[index].progress.append(ProgressSample(at: event.t, fraction: event.fraction ?? .nan))
            requests[index].total = event.total ?? requests[index].total
        case "available", "error":
            requests[index].callbacks += 1
            guard requests[index].endedAt == nil else { return }
            requests[index].endedAt = event.t
            requests[index].isAvailable = event.event == "available"
            if event.event == "error" {
                requests[index].error = (event.domain ?? "", event.code ?? 0, event.errorClass, event.message)
            }
        default:
            break
        }
    }
}

extension ClientEvent {
    /// Whether the event is about a pack, and not about the catalog.
    fileprivate var isAboutPack: Bool { pack != "manifest" && pack != "tag-table" }
}
