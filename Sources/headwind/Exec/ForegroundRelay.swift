import Glibc
import Synchronization
import SystemPackage

/// Carries keys, output and signals between Headwind's terminal and a program that runs in a session of its own.
///
/// A thread of its own does; it holds what it has read until it could write it, so that neither side's waiting stops the
/// other.
final class ForegroundRelay: Sendable {
    /// The signals that reach the program.
    private static let forwarded = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2]

    private let terminal: PseudoTerminal?
    private let signals: FileDescriptor
    private let stop: (reading: FileDescriptor, writing: FileDescriptor)
    /// The program may start after the first signal.
    private let target = Mutex<(@Sendable (SignalPipe.Signal) -> Void)?>(nil)
    private let done = Mutex<(isDone: Bool, wait: CheckedContinuation<Void, Never>?)>((false, nil))

    /// Begins; signals that come before there is a program wait for it.
    init(_ terminal: PseudoTerminal?) throws {
        self.terminal = terminal
        signals = try SignalPipe.open(Self.forwarded + [SIGWINCH, SIGCONT])
        let pipe = try FileDescriptor.pipe()
        for end in [pipe.readEnd, pipe.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
        stop = (pipe.readEnd, pipe.writeEnd)
    }

    /// Lets signals have their effect, and takes the terminal.
    func start(_ deliver: @escaping @Sendable (SignalPipe.Signal) -> Void) {
        target.withLock { $0 = deliver }
        ExecThread.start { self.run() }
    }

    /// Ends it when all that the program has written is there, and gives the terminal back.
    ///
    /// From here on signals do nothing: the program has ended, and this process is about to.
    func end() async {
        try? stop.writing.close()
        await withCheckedContinuation { continuation in
            let isDone = done.withLock { done in
                if !done.isDone { done.wait = continuation }
                return done.isDone
            }
            if isDone { continuation.resume() }
        }
    }

    private func run() {
        var pump = TerminalPump(terminal)
        while true {
            var events = [
                pollfd(fd: stop.reading.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals.rawValue, events: Int16(POLLIN), revents: 0),
            ]
            events += pump.interests
            guard poll(&events, nfds_t(events.count), -1) >= 0 || errno == EINTR else { break }
            if events[1].revents != 0 {
                for signal in SignalPipe.read(signals) { handle(signal, &pump) }
            }
            pump.serve(events[2...])
            if events[0].revents != 0 { break }
        }
        pump.finish()
        try? stop.reading.close()
        let wait = done.withLock { done in
            done.isDone = true
            return done.wait
        }
        wait?.resume()
    }

    private func handle(_ signal: SignalPipe.Signal, _ pump: inout TerminalPump) {
        switch signal.number {
        case SIGWINCH: pump.resize()
        case SIGCONT: pump.takeTerminal()
        default: target.withLock { $0 }?(signal)
        }
    }
}
