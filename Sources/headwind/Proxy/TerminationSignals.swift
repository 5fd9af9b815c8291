// Its signal sources may be used from any thread, and are not yet marked so.
@preconcurrency import Dispatch
import Glibc

/// SIGINT and SIGTERM as values: the first one is handed on, the second ends the process at once.
enum TerminationSignals {
    /// Yields the first signal and ends.
    static func first() -> AsyncStream<Int32> {
        AsyncStream { continuation in
            let sources = [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number)
                source.setEventHandler {
                    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
                    continuation.yield(number)
                    continuation.finish()
                }
                source.resume()
                return source
            }
            continuation.onTermination = { _ in
                for source in sources { source.cancel() }
            }
        }
    }
}
