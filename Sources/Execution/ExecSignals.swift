import Glibc
import Harness
import LinuxSupport
import Synchronization
package import Wording

/// Signals while programs run one after the other: they are the program's while there is one, and else end the series.
///
/// Without a program the first signal has all that is on its way come down in order, a second one ends this process at once.
package final class ExecSignals: Sendable {
    typealias Deliver = @Sendable (SignalPipe.Signal) -> Void

    private struct State {
        /// What a signal does to each program that runs.
        var deliveries: [Int: Deliver] = [:]
        /// Ends what is on its way to a program.
        var cancels: [Int: @Sendable () -> Void] = [:]
        var runs = 0
        /// The first signal that was for no program.
        var stop: Int32?
        var last: (number: Int32, at: ContinuousClock.Instant)?
        /// The signal by which a process has told a program to end.
        var over: Int32?
    }

    private enum Effect {
        case none
        case delivery([Deliver], [@Sendable () -> Void])
        case stop([@Sendable () -> Void])
        case endAtOnce
    }

    /// Those that are for programs.
    static let forwarded = ending + [SIGUSR1, SIGUSR2]
    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Which of several runs the task is of.
    @TaskLocal private static var run = 0

    private let pipe: SignalPipe
    private let note: @Sendable (TerminalText) -> Void
    private let state = Mutex(State())

    /// Collects signals from now on, until ``close()``; tells the user by `note` where one ends this process at once.
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

    /// Gives signals back the effect that they had before.
    package func close() { pipe.restore() }

    /// The signal that ended the series; nil where none did.
    var stop: Int32? { state.withLock(\.stop) }

    /// Whether no further program is to be run.
    var isOver: Bool { state.withLock { $0.over != nil || $0.stop != nil } }

    /// The signal by which a process has told a program to end, and so all that were to follow; nil where none did.
    var over: Int32? { state.withLock(\.over) }

    /// Does what brings a program up and waits for it; a signal that comes before there is a program cancels it.
    func whileComingUp<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let run = state.withLock { state in
            state.runs += 1
            return state.runs
        }
        let task = Task { try await Self.$run.withValue(run) { try await body() } }
        let hasStopped = state.withLock { state in
            // Where it has its program already, that gets the signals.
            if state.deliveries[run] == nil { state.cancels[run] = { task.cancel() } }
            return state.stop != nil
        }
        if hasStopped { task.cancel() }
        defer { state.withLock { $0.cancels[run] = nil } }
        return try await task.value
    }

    /// Signals are a program's from here on; so is one that came just before.
    func programStarted(_ deliver: @escaping Deliver) {
        let stop = state.withLock { state in
            (state.deliveries[Self.run], state.cancels[Self.run]) = (deliver, nil)
            return state.stop
        }
        if let stop { deliver(SignalPipe.Signal(number: stop, isSentByProcess: true)) }
    }

    func programEnded() { state.withLock { $0.deliveries[Self.run] = nil } }

    /// Ends all programs, and what is on its way to one.
    func endPrograms() {
        let (deliveries, cancels) = state.withLock { (Array($0.deliveries.values), Array($0.cancels.values)) }
        for deliver in deliveries { deliver(SignalPipe.Signal(number: SIGTERM, isSentByProcess: true)) }
        for cancel in cancels { cancel() }
    }

    private func handle(_ signal: SignalPipe.Signal) {
        switch effect(of: signal) {
        case .none: break
        case .delivery(let deliveries, let cancels):
            for deliver in deliveries { deliver(signal) }
            for cancel in cancels { cancel() }
        case .stop(let cancels): for cancel in cancels { cancel() }
        case .endAtOnce: endAtOnce(signal.number)
        }
    }

    private func effect(of signal: SignalPipe.Signal) -> Effect {
        let isEnding = Self.ending.contains(signal.number)
        return state.withLock { state in
            let before = state.last
            if isEnding { state.last = (signal.number, .now) }
            if !state.deliveries.isEmpty {
                // A terminal's signals end the others, too: they are of one group.
                let isOver = isEnding && (signal.isSentByProcess || state.runs > 1 && state.deliveries.count > 1)
                if isOver, state.over == nil { state.over = signal.number }
                return .delivery(Array(state.deliveries.values), isEnding ? Array(state.cancels.values) : [])
            }
            // As with nohup(1): what was ignored ends nothing.
            guard isEnding, !pipe.ignored.contains(signal.number) else { return .none }
            if let before, before.number == signal.number, before.at.duration(to: .now) < SignalPipe.echo {
                return .none
            }
            guard state.stop == nil else { return .endAtOnce }
            state.stop = signal.number
            return .stop(Array(state.cancels.values))
        }
    }

    private func endAtOnce(_ number: Int32) -> Never {
        RawTerminal.release()
        // A reader that does not read must not keep it.
        var event = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        if poll(&event, 1, 0) == 1, event.revents & Int16(POLLOUT) != 0 {
            note("ended at once, without clean-up.")
        }
        _exit(128 + number)
    }
}
