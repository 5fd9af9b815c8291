import Glibc
import LinuxSupport
import Synchronization
package import Wording

/// Handles signals while programs run: passes them to the running programs, or ends the series if there is none.
///
/// Without a program the first signal ends all that is starting in an orderly way. A second one ends this process at
/// once.
package final class ExecSignals: Sendable {
    typealias Deliver = @Sendable (SignalPipe.Signal) -> Void

    private struct State {
        /// How to pass a signal to each running program, by run.
        var deliveries: [Int: Deliver] = [:]
        /// How to cancel each run whose program has not started yet.
        var cancels: [Int: @Sendable () -> Void] = [:]
        var runs = 0
        /// The first signal that no program received.
        var stop: Int32?
        var last: (number: Int32, at: ContinuousClock.Instant)?
        /// The first signal that was to end a program.
        var over: Int32?
    }

    private enum Effect {
        /// Passes the signal to programs, and cancels runs.
        case spread([Deliver], [@Sendable () -> Void])
        case endAtOnce
    }

    /// The signals that are passed to programs.
    static let forwarded = ending + [SIGUSR1, SIGUSR2]
    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// The number of the run that the task belongs to.
    @TaskLocal private static var run = 0

    private let pipe: SignalPipe
    private let note: @Sendable (TerminalText) -> Void
    private let state = Mutex(State())

    /// Collects signals from now on, until ``close()``; calls `note` if one ends this process at once.
    ///
    /// Throws if the system has no pipe or thread left.
    package init(note: @escaping @Sendable (TerminalText) -> Void) throws {
        self.note = note
        pipe = try SignalPipe(Self.forwarded + [SIGWINCH, SIGCONT])
        do {
            try DedicatedThread.start { [self] in
                while let signals = pipe.wait() {
                    for signal in signals { handle(signal) }
                }
            }
        } catch {
            pipe.restore()
            throw ExecError.noThread(to: "hear signals")
        }
    }

    /// Restores the earlier effect of the signals.
    package func close() { pipe.restore() }

    /// The signal that ended the series; nil if none did.
    var stop: Int32? { state.withLock(\.stop) }

    /// Whether no further program may run.
    var isOver: Bool { state.withLock { $0.over != nil || $0.stop != nil } }

    /// The signal that was to end a program, and thus ended the series; nil if none was.
    var over: Int32? { state.withLock(\.over) }

    /// Ends the series after a key that sent a signal to a program at a terminal of its own.
    func programInterrupted(by number: Int32) { state.withLock { $0.over = $0.over ?? number } }

    /// Runs `body`, which starts a program and waits for it; a signal before the program starts cancels it.
    func whileComingUp<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let run = state.withLock { state in
            state.runs += 1
            return state.runs
        }
        let task = Task { try await Self.$run.withValue(run) { try await body() } }
        let hasStopped = state.withLock { state in
            // If the run already has its program, the program gets the signals.
            if state.deliveries[run] == nil { state.cancels[run] = { task.cancel() } }
            return state.stop != nil
        }
        if hasStopped { task.cancel() }
        defer { state.withLock { $0.cancels[run] = nil } }
        return try await task.value
    }

    /// From now on `deliver` passes signals to a program, including one that arrived just before.
    func programStarted(_ deliver: @escaping Deliver) {
        let stop = state.withLock { state in
            (state.deliveries[Self.run], state.cancels[Self.run]) = (deliver, nil)
            return state.stop
        }
        if let stop { deliver(SignalPipe.Signal(number: stop, isSentByProcess: true)) }
    }

    func programEnded() { state.withLock { $0.deliveries[Self.run] = nil } }

    /// Ends all programs, and cancels all runs whose program has not started.
    func endPrograms() {
        let (deliveries, cancels) = state.withLock { (Array($0.deliveries.values), Array($0.cancels.values)) }
        for deliver in deliveries { deliver(SignalPipe.Signal(number: SIGTERM, isSentByProcess: true)) }
        for cancel in cancels { cancel() }
    }

    private func handle(_ signal: SignalPipe.Signal) {
        switch effect(of: signal) {
        case .spread(let deliveries, let cancels):
            for deliver in deliveries { deliver(signal) }
            for cancel in cancels { cancel() }
        case .endAtOnce: endAtOnce(signal.number)
        }
    }

    private func effect(of signal: SignalPipe.Signal) -> Effect {
        let isEnding = Self.ending.contains(signal.number)
        return state.withLock { state in
            let before = state.last
            if isEnding { state.last = (signal.number, .now) }
            if !state.deliveries.isEmpty {
                // Under nohup(1), only a process means to end the programs.
                let isMeant = signal.isSentByProcess || !pipe.ignored.contains(signal.number)
                if isEnding, isMeant, state.over == nil { state.over = signal.number }
                return .spread(Array(state.deliveries.values), isEnding ? Array(state.cancels.values) : [])
            }
            // As with nohup(1), a signal that was ignored ends nothing.
            guard isEnding, !pipe.ignored.contains(signal.number) else { return .spread([], []) }
            if let before, before.number == signal.number, before.at.duration(to: .now) < SignalPipe.echo {
                return .spread([], [])
            }
            guard state.stop == nil else { return .endAtOnce }
            state.stop = signal.number
            return .spread([], Array(state.cancels.values))
        }
    }

    private func endAtOnce(_ number: Int32) -> Never {
        RawTerminal.release()
        // A reader of standard error that does not read must not delay the end.
        var event = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        if poll(&event, 1, 0) == 1, event.revents & Int16(POLLOUT) != 0 {
            note("ended at once, without clean-up.")
        }
        _exit(128 + number)
    }
}
