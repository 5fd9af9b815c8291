import Evidence
import LinkModel
import LinuxSupport
import Redaction
import Scenarios
import Synchronization

/// Reads what a client writes, line by line; it keeps a limited amount, and never stops reading.
final class ClientRecorder: Sendable {
    private struct State {
        var log: ClientLog
        var complaints = Complaints()
        /// The complaints since the client last started.
        var latest = Complaints()
    }

    /// The time before the client began, in CLOCK_MONOTONIC nanoseconds.
    private let start = MonotonicClock.now
    private let matcher: ProgressMatcher?
    private let search: OutputSearch?
    private let state: Mutex<State>

    private let onReport: @Sendable (FaultSchedule.ClientMoment) -> Void

    /// Puts lines into `log`; calls `onReport` at each report that faults can wait for, from any thread.
    init(
        _ log: ClientLog, progress: ProgressPattern?, search: OutputSearch? = nil,
        onReport: @escaping @Sendable (FaultSchedule.ClientMoment) -> Void = { _ in }
    ) {
        self.search = search
        self.onReport = onReport
        matcher = progress.map { ProgressMatcher($0) { onReport(.progress) } }
        state = Mutex(State(log: log))
    }

    /// Drops lines that still wait for the pattern, after the client's run has failed.
    func abandon() { matcher?.abandon() }

    /// Notes that the client starts again: earlier reports count as read, and a new sequence begins.
    func begin() {
        state.withLock { state in
            state.log.begin()
            state.latest = Complaints()
        }
    }

    /// The last line of standard error since the client last started, redacted; nil if there is none.
    var lastWords: String? { state.withLock { $0.latest.lines.last.map { Redaction.outputLine($0) } } }

    /// Adds a line with the current time.
    func take(_ line: [UInt8], from stream: Command.Progress.Stream) {
        let now = MonotonicClock.now
        search?.take(line)
        if let moment = state.withLock({ $0.log.take(line, from: stream, at: now, since: start) }) { onReport(moment) }
        if let matcher, matcher.pattern.stream == stream, matcher.take(line, at: now) { return }
        guard stream == .stderr else { return }
        state.withLock { state in
            state.complaints.note(line)
            state.latest.note(line)
        }
    }

    /// All that the client reported, once it has ended.
    func finish() async -> ClientLog {
        let matches = await matcher?.finish()
        let output = await search?.finish()
        return state.withLock { state in
            state.log.take(matches, of: matcher?.pattern, beside: state.complaints)
            state.log.output = output
            return state.log
        }
    }
}
