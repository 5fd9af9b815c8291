import ArgumentParser
import Dispatch
import Glibc

/// SIGINT and SIGTERM for commands that run until they are told to stop.
///
/// The first signal ends the command in an orderly way, a second one at once.
enum Interruption {
    /// Runs `body`; at a signal cancels it, waits for its end, and throws the status that the process is to exit with.
    ///
    /// What `body` throws after a signal is not reported: it was told to stop.
    static func endsWell(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
        let sources = [SIGINT, SIGTERM].map { number in
            // Else the process would end before its source is told.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        let work = Task { try await body() }
        let watch = Task {
            var first: Int32?
            for await number in signals {
                if first != nil { _exit(128 + number) }
                first = number
                work.cancel()
            }
            return first
        }
        let result = await work.result
        continuation.finish()
        if let number = await watch.value { throw ExitCode(128 + number) }
        try result.get()
    }
}
