import Evidence
import LinkModel
import LinuxSupport
import Results
import Synchronization

/// Searches a client's lines for progress, on a thread of its own.
///
/// Matching a line may take any time, and cannot be stopped. So nothing waits for it: not the reader of the client's
/// output, nor a deadline, nor a signal. Matches that are not found soon after the client's end are unknown.
final class ProgressMatcher: Sendable {
    private struct Line {
        /// The start of the line, which is kept if it reports no progress.
        let begin: [UInt8]
        /// The end of the line, which is searched.
        let end: [UInt8]
        let at: Int64

        var bytes: Int { begin.count + end.count }
    }

    private struct State {
        /// The lines; those before `next` are done.
        var lines: [Line] = []
        var next = 0
        var waitingBytes = 0
        var isRunning = false
        var isClosed = false
        /// Whether matches are not needed any more.
        var isAbandoned = false
        var matches = ProgressMatches()
    }

    /// The limit on reports of progress that are kept of an attempt.
    static let mostSamples = ClientLog.mostEvents
    /// The limit in bytes on lines that wait for the pattern.
    private static let mostWaiting = 8 << 20
    /// The limit on lines that are done and still take memory.
    private static let keptTaken = 1024
    /// How long the last lines may take after the client's end.
    static let patience: Duration = .seconds(2)

    let pattern: ProgressPattern
    private let state = Mutex(State())
    private let idle: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    /// Patterns that are still matching for an attempt that has ended; a second search would take another processor.
    private static let endless = Mutex<Set<String>>([])

    private let onProgress: @Sendable () -> Void

    /// Calls `onProgress` for each report that is found, from the matcher's thread.
    init(_ pattern: ProgressPattern, onProgress: @escaping @Sendable () -> Void = {}) {
        self.pattern = pattern
        self.onProgress = onProgress
        idle = AsyncStream.makeStream()
    }

    /// Takes a line that arrived at `moment`; returns false if no more lines are searched.
    func take(_ line: [UInt8], at moment: Int64) -> Bool {
        let begins: Bool? = state.withLock { state in
            guard !state.isClosed, state.matches.trouble == nil else { return nil }
            let added = Line(
                begin: Array(line.prefix(Complaints.lineBytes)),
                end: Array(line.suffix(ProgressPattern.mostBytes + 1)), at: moment)
            guard state.waitingBytes + added.bytes <= Self.mostWaiting else {
                state.matches.trouble = "the pattern '\(pattern.text)' could not keep up with the client's lines"
                return nil
            }
            if !state.isRunning, Self.endless.withLock({ $0.contains(pattern.text) }) {
                state.matches.trouble = "the pattern '\(pattern.text)' is still matching a line of an earlier attempt"
                return nil
            }
            state.lines.append(added)
            state.waitingBytes += added.bytes
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard let begins else { return false }
        if begins, (try? DedicatedThread.start { self.work() }) == nil {
            state.withLock { state in
                state.isRunning = false
                state.matches.trouble = "could not start a thread for the pattern '\(pattern.text)'"
            }
        }
        return true
    }

    /// Lets the thread end after its current line.
    func abandon() {
        state.withLock { state in
            (state.isClosed, state.isAbandoned) = (true, true)
            (state.lines, state.next) = ([], 0)
        }
    }

    /// The matches, once all lines are searched, `patience` (default: 2 s) is over, or the task is cancelled.
    func finish(within patience: Duration = patience) async -> ProgressMatches {
        let isBusy = state.withLock { state in
            state.isClosed = true
            return state.isRunning
        }
        if isBusy {
            await withTaskGroup { group in
                group.addTask { for await _ in self.idle.stream {} }
                group.addTask { try? await Task.sleep(for: patience) }
                await group.next()
                group.cancelAll()
            }
        }
        return state.withLock { state in
            for line in state.lines[state.next...] { state.matches.others.note(line.begin) }
            (state.lines, state.next) = ([], 0)
            state.isAbandoned = true
            if state.isRunning {
                state.matches.trouble =
                    "the pattern '\(pattern.text)' was still matching \(patience.text) after the client ended"
                Self.endless.withLock { _ = $0.insert(pattern.text) }
            }
            return state.matches
        }
    }

    /// Searches lines until there are none.
    private func work() {
        while let line = state.withLock({ take(from: &$0) }) {
            let fractions = pattern.fractions(in: line.end)
            state.withLock { state in
                guard !state.isAbandoned else { return }
                if fractions.isEmpty { state.matches.others.note(line.begin) }
                let room = Self.mostSamples - state.matches.samples.count
                state.matches.samples += fractions.prefix(room).map { ProgressSample(at: line.at, fraction: $0) }
                state.matches.unread += max(0, fractions.count - room)
            }
            for _ in fractions { onProgress() }
        }
    }

    /// The next line; if there is none, the thread is about to end.
    private func take(from state: inout State) -> Line? {
        guard state.next < state.lines.count else {
            (state.lines, state.next, state.isRunning) = ([], 0, false)
            if state.isClosed {
                idle.continuation.finish()
                Self.endless.withLock { _ = $0.remove(pattern.text) }
            }
            return nil
        }
        let line = state.lines[state.next]
        state.next += 1
        state.waitingBytes -= line.bytes
        if state.next == Self.keptTaken {
            state.lines.removeFirst(state.next)
            state.next = 0
        }
        return line
    }
}
