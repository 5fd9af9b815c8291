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
        /// What a signal does while a program runs; nil without one.
        var deliver: Deliver?
        /// Ends what is on its way to a program.
        var cancel: (@Sendable () -> Void)?
        /// The first signal that was for no program.
        var stop: Int32?
        var last: (number: Int32, at: ContinuousClock.Instant)?
        /// The signal by which a process has told a program to end.
        var over: Int32?
    }

    private enum Effect {
        case none
        case delivery(Deliver)
        case stop((@Sendable () -> Void)?)
        case endAtOnce
    }

    /// Those that are for programs.
    static let forwarded = ending + [SIGUSR1, SIGUSR2]
    private static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

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
        let task = Task { try await body() }
        let hasStopped = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.stop != nil
        }
        if hasStopped { task.cancel() }
        defer { state.withLock { $0.cancel = nil } }
        return try await task.value
    }

    /// Signals are a program's from here on; so is one that came just before.
    func programStarted(_ deliver: @escaping Deliver) {
        let stop = state.withLock { state in
            (state.deliver, state.cancel) = (deliver, nil)
            return state.stop
        }
        if let stop { deliver(SignalPipe.Signal(number: stop, isSentByProcess: true)) }
    }

    func programEnded() { state.withLock { $0.deliver = nil } }

    private func handle(_ signal: SignalPipe.Signal) {
        switch effect(of: signal) {
        case .none: break
        case .delivery(let deliver): deliver(signal)
        case .stop(let cancel): cancel?()
        case .endAtOnce: endAtOnce(signal.number)
        }
    }

    private func effect(of signal: SignalPipe.Signal) -> Effect {
        let isEnding = Self.ending.contains(signal.number)
        return state.withLock { state in
            let before = state.last
            if isEnding { state.last = (signal.number, .now) }
            if let deliver = state.deliver {
                if isEnding, signal.isSentByProcess, state.over == nil { state.over = signal.number }
                return .delivery(deliver)
            }
            // As with nohup(1): what was ignored ends nothing.
            guard isEnding, !pipe.ignored.contains(signal.number) else { return .none }
            if let before, before.number == signal.number, before.at.duration(to: .now) < SignalPipe.echo {
                return .none
            }
            guard state.stop == nil else { return .endAtOnce }
            state.stop = signal.number
            return .stop(state.cancel)
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
