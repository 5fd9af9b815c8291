import Dispatch
import Glibc
import Synchronization

/// SIGINT and SIGTERM as an orderly end: the first asks for one, the second does not wait for it.
///
/// Watches as long as it exists.
struct SignalWatch {
    private final class First: Sendable {
        let number = Mutex<Int32?>(nil)
    }

    private let sources: [any DispatchSourceSignal]
    private let first = First()

    /// Calls `stop` at the first signal, and ignores SIGPIPE: a reader that is gone is an error of write(2).
    init(stop: @escaping @Sendable () -> Void) {
        _ = signal(SIGPIPE, SIG_IGN)
        sources = [SIGINT, SIGTERM].map { [first] number in
            // Else the process would end before its source is told.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                let isFirst = first.number.withLock { first in
                    defer { first = first ?? number }
                    return first == nil
                }
                if isFirst { stop() } else { _exit(128 + number) }
            }
            source.resume()
            return source
        }
    }

    /// Ends watching, and says with which status the process is to exit; nil if there was no signal.
    func finish() -> Int32? {
        for source in sources { source.cancel() }
        return first.number.withLock { $0.map { 128 + $0 } }
    }
}
