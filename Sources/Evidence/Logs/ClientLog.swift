package import Events
import FoundationEssentials
import Redaction
package import Results
package import Scenarios

/// Everything that a client told of itself during one attempt.
package struct ClientLog: Sendable {
    /// One request of the workload, as the client told it.
    package struct Request: Sendable {
        package var id: String
        package var tags: [String]
        package var beganAt: Int64
        package var endedAt: Int64?
        package var callbacks = 0
        package var isAvailable = false
        package var error: (domain: String, code: Int, errorClass: String?, message: String?)?
        package var progress: [ProgressSample] = []
        package var total: Int64?
        /// Whether the system began it, which fetches beforehand.
        package var isPrefetch = false
        /// Which version of the app began it.
        package var version = 1
        /// What the app had then: packs, and the versions that they are of.
        package var held: [String: Int] = [:]
        /// When the app held it back; one that was not let go on lasts for ever.
        package var pauses: [ClosedRange<Int64>] = []
    }

    /// What the app was told when it asked for a request conditionally.
    package struct Answer: Sendable {
        package var id: String
        package var tags: [String]
        package var isHere: Bool
        package var at: Int64
        /// Which version of the app asked.
        package var version = 1
    }

    /// Most events that are kept of an attempt, and most bytes of their lines.
    ///
    /// Twenty a second for more than an hour.
    package static let mostEvents = 100_000
    package static let mostBytes = 32 << 20

    private let mostEvents: Int
    private let mostBytes: Int

    package private(set) var events: [ClientEvent] = []
    package private(set) var requests: [Request] = []
    package private(set) var answers: [Answer] = []
    /// Lines that came when enough were kept, and were not read.
    package private(set) var unreadLines = 0
    private var bytes = 0
    /// The newest request of each name.
    private var newest: [String: Int] = [:]
    /// When requests were begun that an earlier run of the client did not live to see answered.
    private var begunBefore: [String: Int64] = [:]
    /// Events with a time at which they cannot have been told.
    package private(set) var misplacedLines = 0
    /// Lines that are no events.
    package private(set) var strayLines = 0
    /// The first line that does not follow the one before it, by their numbers; nil where all do, or have none.
    package private(set) var gap: (after: Int, found: Int)?
    private var lastNumber = 0
    package private(set) var hasStarted = false
    package private(set) var exitStatus: Int?
    package private(set) var mostStored: Int64?
    /// Bytes that were purged beyond what was needed; nil where the client reported no room that it made.
    package private(set) var overpurged: Int64?
    /// Bytes of packs' answers that came; nil while the client reported none, as an older one does.
    package private(set) var receivedBytes: Int64?
    /// What the client told of its app's life.
    private(set) var life = ClientLife()

    /// Progress that a client of the user's told, in events or in words that a pattern knows.
    package private(set) var progress: [ProgressSample] = []
    /// Progress that came when enough was kept, and was not read.
    package private(set) var unreadProgress = 0
    /// Why progress by the pattern is not known; nil where it is, or there is no pattern.
    package private(set) var patternTrouble: String?
    /// The last lines of standard error, without those that tell progress, and without secrets.
    package private(set) var complaints: [String] = []
    /// What the scenario looks for in the output; nil where it looks for nothing.
    package var output: ConductRecord.Output?

    private let isBuiltIn: Bool

    /// What a foreign client has is unknown.
    package init(mostEvents: Int = Self.mostEvents, mostBytes: Int = Self.mostBytes, isBuiltIn: Bool = false) {
        self.isBuiltIn = isBuiltIn
        self.mostEvents = mostEvents
        self.mostBytes = mostBytes
    }

    /// The log of a client of a workload.
    ///
    /// The built-in client tells of every request at once, for a day if it must, and never floods.
    package init(of workload: Workload) {
        self =
            workload.isBuiltIn ? ClientLog(mostEvents: 1_000_000, mostBytes: 256 << 20, isBuiltIn: true) : ClientLog()
    }

    /// Takes in a line that came at a moment after `start`; true where it is an event that tells of progress.
    package mutating func take(
        _ line: [UInt8], from stream: Command.Progress.Stream, at moment: Int64, since start: Int64
    ) -> Bool {
        guard stream == .stdout, isBuiltIn || line.first == UInt8(ascii: "{") else { return false }
        // What a foreign client's clock says is its own affair, as long as it can be.
        guard let event = append(line: line, within: isBuiltIn ? nil : min(start, moment)...moment) else {
            return false
        }
        if isBuiltIn { return event.kind == .progress }
        guard let fraction = event.fraction else { return false }
        progress.append(ProgressSample(at: event.t, fraction: fraction))
        return true
    }

    /// Takes in what a pattern found on a stream, once the client has ended, and what else it wrote on standard error.
    package mutating func take(_ matches: ProgressMatches?, of pattern: ProgressPattern?, beside complaints: Complaints)
    {
        // Where there are both, the pattern gave up before the others came.
        let lines = (pattern?.stream == .stderr ? matches?.others.lines ?? [] : []) + complaints.lines
        self.complaints = lines.suffix(Complaints.most).map { Redaction.outputLine($0) }
        guard let matches else { return }
        let isInOrder = progress.isEmpty
        progress += matches.samples
        if !isInOrder { progress.sort { $0.at < $1.at } }
        unreadProgress = matches.unread
        patternTrouble = matches.trouble
    }

    /// Takes one line of the stream in; nil where it is no event, or one too many, or not of these times.
    ///
    /// Without times every event is taken in, whatever time it tells.
    package mutating func append(line: [UInt8], within times: ClosedRange<Int64>? = nil) -> ClientEvent? {
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
    package mutating func begin() {
        for request in requests where begunBefore[request.id] == nil { begunBefore[request.id] = request.beganAt }
        (requests, answers, newest, lastNumber, hasStarted, exitStatus) = ([], [], [:], 0, false, nil)
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
        if event.kind == .conditional, let isHere = event.available {
            answers.append(
                Answer(id: id, tags: event.tags ?? [], isHere: isHere, at: event.t, version: life.version))
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

/// The last lines that a client wrote and that tell no progress.
package struct Complaints: Sendable {
    /// Lines that are kept, and bytes of each that are looked at for secrets.
    static let most = 20
    package static let lineBytes = 4096

    package private(set) var lines: [ArraySlice<UInt8>] = []

    package init() {}

    /// Keeps a line, if there is anything to be seen in it, and lets the oldest one go.
    package mutating func note(_ line: some Collection<UInt8>) {
        guard line.contains(where: { $0 > 0x20 }) else { return }
        lines.append(ArraySlice([UInt8](line.prefix(Self.lineBytes))))
        if lines.count > Self.most { lines.removeFirst() }
    }
}
