import Dispatch
import Glibc
import LinuxSupport
import ResourceLoading
import Synchronization

/// SIGINT and SIGTERM as an orderly end: the first asks for one, the second does not wait for it.
///
/// Watches as long as it exists.
struct SignalWatch {
    private final class First: Sendable {
        let signal = Mutex<(number: Int32, time: Int64)?>(nil)
    }

    /// How long after the first signal another one counts as the same, in nanoseconds.
    ///
    /// timeout(1) and others signal a process and then its whole group.
    private static let echo: Int64 = 500_000_000

    private let sources: [any DispatchSourceSignal]
    private let first = First()

    /// Calls `stop` at the first signal, and ignores SIGPIPE and SIGXFSZ: a reader that is gone, or a file that may not grow, is
    /// an error of write(2).
    init(stop: @escaping @Sendable () -> Void) {
        for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
        sources = [SIGINT, SIGTERM].map { [first] number in
            // Else the process would end before its source is told.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                let now = MonotonicClock.now
                let before = first.signal.withLock { first in
                    defer { first = first ?? (number, now) }
                    return first
                }
                guard let before else { return stop() }
                if now - before.time > Self.echo { _exit(128 + number) }
            }
            source.resume()
            return source
        }
    }

    /// Ends watching, and says with which status the process is to exit; nil if there was no signal.
    func finish() -> Int32? {
        for source in sources { source.cancel() }
        return first.signal.withLock { $0.map { 128 + $0.number } }
    }
}
