import Evidence
import LinuxSupport
import Scenarios
import Synchronization

/// Takes in what a client writes, line by line; whatever it writes, little of it is kept and reading it never stops.
final class ClientRecorder: Sendable {
    private struct State {
        var log: ClientLog
        var complaints = Complaints()
    }

    /// CLOCK_MONOTONIC nanoseconds at which there was no client yet.
    private let start = MonotonicClock.now
    private let matcher: ProgressMatcher?
    private let search: OutputSearch?
    private let state: Mutex<State>

    private let onProgress: @Sendable () -> Void

    /// Puts lines into `log`; `onProgress` is told of each report of progress as it comes, from any thread.
    init(
        _ log: ClientLog, progress: ProgressPattern?, search: OutputSearch? = nil,
        onProgress: @escaping @Sendable () -> Void = {}
    ) {
        self.search = search
        self.onProgress = onProgress
        matcher = progress.map { ProgressMatcher($0, onProgress: onProgress) }
        state = Mutex(State(log: log))
    }

    /// Forgets what is not asked for any more: the client's run has failed.
    func abandon() { matcher?.abandon() }

    /// Notes that the client is started again: what it has told counts as seen, and it begins anew.
    func begin() { state.withLock { $0.log.begin() } }

    /// Takes a line in, now.
    func take(_ line: [UInt8], from stream: Command.Progress.Stream) {
        let now = MonotonicClock.now
        search?.take(line)
        if state.withLock({ $0.log.take(line, from: stream, at: now, since: start) }) { onProgress() }
        if let matcher, matcher.pattern.stream == stream, matcher.take(line, at: now) { return }
        guard stream == .stderr else { return }
        state.withLock { $0.complaints.note(line) }
    }

    /// Everything that was told, once the client has ended.
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
