import LinuxSupport
import Redaction
import Results
import Scenarios
import Synchronization

/// Takes in what a client writes, line by line; whatever it writes, little of it is kept and reading it never stops.
final class ClientRecorder: Sendable {
    /// What was made of the lines.
    struct Told: Sendable {
        var log = ClientLog()
        /// Progress that a foreign client told, in events or by its pattern.
        var progress: [ProgressSample] = []
        /// Progress that came when enough was kept, and that nobody has read.
        var unreadProgress = 0
        /// The last lines of standard error, without those that tell progress, and without secrets.
        var complaints: [String] = []
        /// Why progress by the pattern is not known; nil where it is.
        var patternTrouble: String?
        /// What the scenario looks for in the output; nil where it looks for nothing.
        var output: ConductRecord.Output?
    }

    private struct State {
        var told = Told()
        var complaints: [ArraySlice<UInt8>] = []
    }

    /// Lines of standard error that are kept, and bytes of each that are looked at for secrets.
    static let keptComplaints = 20
    static let complaintBytes = 4096

    private let isBuiltIn: Bool
    /// CLOCK_MONOTONIC nanoseconds at which there was no client yet.
    private let start = MonotonicClock.now
    private let matcher: ProgressMatcher?
    private let search: OutputSearch?
    private let state = Mutex(State())

    private let onProgress: @Sendable () -> Void

    /// `onProgress` is told of each report of progress as it comes, from any thread.
    init(
        isBuiltIn: Bool, progress: ProgressPattern?, search: OutputSearch? = nil,
        onProgress: @escaping @Sendable () -> Void = {}
    ) {
        self.isBuiltIn = isBuiltIn
        self.search = search
        self.onProgress = onProgress
        matcher = progress.map { ProgressMatcher($0, onProgress: onProgress) }
        // The built-in client tells of every request at once, for a day if it must, and never floods.
        if isBuiltIn {
            state.withLock { $0.told.log = ClientLog(mostEvents: 1_000_000, mostBytes: 256 << 20, isBuiltIn: true) }
        }
    }

    /// Forgets what nobody asks for any more: the client's run has failed.
    func abandon() { matcher?.abandon() }

    /// Notes that the client is started again: what it has told counts as seen, and it begins anew.
    func begin() { state.withLock { $0.told.log.begin() } }

    /// Takes a line in, now.
    func take(_ line: [UInt8], from stream: Command.Progress.Stream) {
        let now = MonotonicClock.now
        search?.take(line)
        let isProgress = state.withLock { state in
            guard stream == .stdout, isBuiltIn || line.first == UInt8(ascii: "{") else { return false }
            // What a foreign client's clock says is its own affair, as long as it can be.
            let times = isBuiltIn ? nil : min(start, now)...now
            guard let event = state.told.log.append(line: line, within: times) else { return false }
            if isBuiltIn { return event.kind == .progress }
            guard let fraction = event.fraction else { return false }
            state.told.progress.append(ProgressSample(at: event.t, fraction: fraction))
            return true
        }
        if isProgress { onProgress() }
        if let matcher, matcher.pattern.stream == stream, matcher.take(line, at: now) { return }
        guard stream == .stderr else { return }
        state.withLock { $0.complaints.note(complaint: line) }
    }

    /// Everything that was told, once the client has ended.
    func finish() async -> Told {
        let matches = await matcher?.finish()
        let output = await search?.finish()
        return state.withLock { state in
            var told = state.told
            told.output = output
            // Where there are both, the pattern gave up before the others came.
            let complaints = (matcher?.pattern.stream == .stderr ? matches?.others ?? [] : []) + state.complaints
            told.complaints = complaints.suffix(Self.keptComplaints).map { Redaction.outputLine($0) }
            guard let matches else { return told }
            let isInOrder = told.progress.isEmpty
            told.progress += matches.samples
            if !isInOrder { told.progress.sort { $0.at < $1.at } }
            told.unreadProgress = matches.unread
            told.patternTrouble = matches.trouble
            return told
        }
    }
}

extension [ArraySlice<UInt8>] {
    /// Keeps a line for a report, if there is anything to be seen in it, and lets the oldest one go.
    mutating func note(complaint line: some Collection<UInt8>) {
        guard line.contains(where: { $0 > 0x20 }) else { return }
        append(ArraySlice([UInt8](line.prefix(ClientRecorder.complaintBytes))))
        if count > ClientRecorder.keptComplaints { removeFirst() }
    }
}
