import Dispatch
import Glibc
import LinuxSupport
import Synchronization

/// Handles SIGINT and SIGTERM: the first requests an orderly end, the second ends the process at once.
///
/// It watches as long as it exists.
struct SignalWatch {
    private final class First: Sendable {
        let signal = Mutex<(number: Int32, at: ContinuousClock.Instant)?>(nil)
    }

    private let sources: [any DispatchSourceSignal]
    private let first = First()

    /// Calls `stop` at the first signal, and ignores SIGPIPE and SIGXFSZ.
    ///
    /// A closed pipe, or a file that may not grow, is then an error of write(2).
    init(stop: @escaping @Sendable () -> Void) {
        for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
        sources = [SIGINT, SIGTERM].map { [first] number in
            // Otherwise the signal would end the process before its source sees it.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                let before = first.signal.withLock { first in
                    defer { first = first ?? (number, .now) }
                    return first
                }
                guard let before else { return stop() }
                if before.at.duration(to: .now) > SignalPipe.echo { _exit(128 + number) }
            }
            source.resume()
            return source
        }
    }

    /// Stops watching; returns the exit status for the signal, 128 plus its number, or nil if there was none.
    func finish() -> Int32? {
        for source in sources { source.cancel() }
        return first.signal.withLock { $0.map { 128 + $0.number } }
    }
}
