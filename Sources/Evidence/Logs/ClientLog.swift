package import Events
import FoundationEssentials
package import LinkModel
import Redaction
package import Results
package import Scenarios

/// Everything that a client reported during one attempt.
///
/// Times are in nanoseconds of CLOCK_MONOTONIC.
package struct ClientLog: Sendable {
    /// One request of the workload, as the client reported it.
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
        /// Whether the system began it as a prefetch.
        package var isPrefetch = false
        /// The version of the app that began it.
        package var version = 1
        /// The packs that the app had then, and the versions that they belong to.
        package var held: [String: Int] = [:]
        /// When the app paused it; a pause that was not resumed has no end.
        package var pauses: [ClosedRange<Int64>] = []
    }

    /// The answer to a conditional request.
    package struct Answer: Sendable {
        package var id: String
        package var tags: [String]
        package var isHere: Bool
        package var at: Int64
        /// The version of the app that sent the request.
        package var version = 1
    }

    /// The most events that are kept of an attempt: twenty a second for more than an hour.
    package static let mostEvents = 100_000
    /// The most bytes of event lines that are kept of an attempt.
    package static let mostBytes = 32 << 20

    private let mostEvents: Int
    private let mostBytes: Int

    package private(set) var events: [ClientEvent] = []
    package private(set) var requests: [Request] = []
    package private(set) var answers: [Answer] = []
    /// Lines beyond the limits, which were not read.
    package private(set) var unreadLines = 0
    private var bytes = 0
    /// The newest request of each name.
    private var newest: [String: Int] = [:]
    /// When requests began that an earlier run of the client did not finish.
    private var begunBefore: [String: Int64] = [:]
    /// Events whose time is outside the client's run.
    package private(set) var misplacedLines = 0
    /// Lines that are not events.
    package private(set) var strayLines = 0
    /// The first line whose number does not follow that of the line before; nil if all do, or have no numbers.
    package private(set) var gap: (after: Int, found: Int)?
    private var lastNumber = 0
    package private(set) var hasStarted = false
    package private(set) var exitStatus: Int?
    package private(set) var mostStored: Int64?
    /// Bytes that were purged beyond the need; nil if the client did not report that it made room.
    package private(set) var overpurged: Int64?
    /// Bytes of packs that the client reports as received; nil if it reports none, as an older client does.
    package private(set) var receivedBytes: Int64?
    /// What the client reported about its app's life.
    private(set) var life = ClientLife()

    /// The progress that a user's client reported, by events or by lines that match its pattern.
    package private(set) var progress: [ProgressSample] = []
    /// Progress beyond the limit, which was not read.
    package private(set) var unreadProgress = 0
    /// Why progress by the pattern is unknown; nil if it is known, or if there is no pattern.
    package private(set) var patternTrouble: String?
    /// The last lines of standard error without progress, redacted.
    package private(set) var complaints: [String] = []
    /// What the scenario looks for in the output; nil if nothing.
    package var output: ConductRecord.Output?

    private let isBuiltIn: Bool

    /// An empty log; of a client that is not built in, it is unknown which packs it has.
    package init(mostEvents: Int = Self.mostEvents, mostBytes: Int = Self.mostBytes, isBuiltIn: Bool = false) {
        self.isBuiltIn = isBuiltIn
        self.mostEvents = mostEvents
        self.mostBytes = mostBytes
    }

    /// The log of a client of a workload.
    ///
    /// The built-in client reports every request at once, for up to a day, and never floods: its limits are a million
    /// events and 256 MiB.
    package init(of workload: Workload) {
        self =
            workload.isBuiltIn ? ClientLog(mostEvents: 1_000_000, mostBytes: 256 << 20, isBuiltIn: true) : ClientLog()
    }

    /// Adds a line that arrived at `moment`, after `start`; returns what it reports that faults can wait for.
    package mutating func take(
        _ line: [UInt8], from stream: Command.Progress.Stream, at moment: Int64, since start: Int64
    ) -> FaultSchedule.ClientMoment? {
        guard stream == .stdout, isBuiltIn || line.first == UInt8(ascii: "{") else { return nil }
        // A foreign client's times are accepted if they are possible.
        guard let event = append(line: line, within: isBuiltIn ? nil : min(start, moment)...moment) else { return nil }
        if !isBuiltIn, let fraction = event.fraction {
            progress.append(ProgressSample(at: event.t, fraction: fraction))
        }
        if event.kind == .available || event.kind == .error { return .callback }
        return (isBuiltIn ? event.kind == .progress : event.fraction != nil) ? .progress : nil
    }

    /// Adds the matches of a pattern and the other lines of standard error, once the client has ended.
    package mutating func take(_ matches: ProgressMatches?, of pattern: ProgressPattern?, beside complaints: Complaints)
    {
        // If there are both, the pattern gave up before the other lines arrived.
        let lines = (pattern?.stream == .stderr ? matches?.others.lines ?? [] : []) + complaints.lines
        self.complaints = lines.suffix(Complaints.most).map { Redaction.outputLine($0) }
        guard let matches else { return }
        let isInOrder = progress.isEmpty
        progress += matches.samples
        if !isInOrder { progress.sort { $0.at < $1.at } }
        unreadProgress = matches.unread
        patternTrouble = matches.trouble
    }

    /// Adds one line of the stream; nil if it is not an event, exceeds the limits, or has a time outside `times`.
    ///
    /// Without `times` an event with any time is added.
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
        // An older client reports the stored bytes, but not the peak while it unpacks.
        case .usage: mostStored = max(mostStored ?? 0, event.peak ?? 0, event.stored ?? 0)
        case .room:
            let more = max(0, (event.freed ?? 0) - (event.needed ?? 0))
            overpurged = (overpurged ?? 0).addingClamped(more)
        case .fetch where event.isAboutPack: receivedBytes = receivedBytes ?? 0
        case .received where event.isAboutPack: receivedBytes = (receivedBytes ?? 0).addingClamped(event.bytes ?? 0)
        default: note(event)
        }
        return event
    }

    /// Begins another run of the same client: its line numbers start at 1, and its workload starts again.
    ///
    /// Events and totals of all runs stay. A request that an earlier run began counts from that first begin.
    package mutating func begin() {
        for request in requests where begunBefore[request.id] == nil { begunBefore[request.id] = request.beganAt }
        (requests, answers, newest, lastNumber, hasStarted, exitStatus) = ([], [], [:], 0, false, nil)
        life = ClientLife()
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
    /// The sum, limited to the largest value.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}

/// The last lines of a client that report no progress.
package struct Complaints: Sendable {
    /// The most lines that are kept.
    static let most = 20
    /// The bytes of each line that are kept and searched for secrets.
    package static let lineBytes = 4096

    package private(set) var lines: [ArraySlice<UInt8>] = []

    package init() {}

    /// Adds a line unless it is blank, and drops the oldest beyond the limit.
    package mutating func note(_ line: some Collection<UInt8>) {
        guard line.contains(where: { $0 > 0x20 }) else { return }
        lines.append(ArraySlice([UInt8](line.prefix(Self.lineBytes))))
        if lines.count > Self.most { lines.removeFirst() }
    }
}
