import ArgumentParser
import Dispatch
import Glibc
import LinuxSupport
import Results
import Synchronization

/// Handles SIGINT, SIGTERM and SIGHUP for commands that run until the user stops them.
///
/// The first signal ends the command in an orderly way, a second one at once.
enum Interruption {
    private static let received = Mutex<(number: Int32, at: ContinuousClock.Instant)?>(nil)

    /// The first signal that arrived; nil before.
    static var first: Int32? { received.withLock { $0?.number } }

    /// What a run that a signal has cancelled says of its end.
    static var attribution: Attribution { first == SIGINT ? .interrupted : .terminated }

    /// Runs `body`; at a signal cancels it, waits for its end, and throws the exit status.
    ///
    /// That is 130 for SIGINT and 143 for the others. Errors of `body` after a signal are not reported, as it was
    /// cancelled. At a second signal the process prints a line on standard error, with the sentence of `remains`, and
    /// ends.
    static func endsWell(
        remains: @escaping @Sendable () -> String? = { nil }, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let work = Task { try await body() }
        // Its own queue, so that blocking tasks cannot delay the second signal.
        let queue = DispatchQueue(label: "headwind.signals")
        let sources = signals.map { number in
            // Otherwise the signal would end the process before its source sees it.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let before = received.withLock { received in
                    defer { received = received ?? (number, .now) }
                    return received
                }
                guard let before else {
                    work.cancel()
                    return
                }
                if before.number != number || before.at.duration(to: .now) > SignalPipe.echo {
                    endAtOnce(number, remains())
                }
            }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        let result = await work.result
        if let number = first { throw ExitCode(status(number)) }
        try result.get()
    }

    /// The handled signals: SIGHUP only if it is not ignored, as nohup(1) sets it.
    private static var signals: [Int32] {
        var action = sigaction()
        let isIgnored = sigaction(SIGHUP, nil, &action) == 0 && action.isIgnored
        return isIgnored ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    }

    private static func status(_ number: Int32) -> Int32 {
        (number == SIGINT ? ExitStatus.interrupted : .terminated).rawValue
    }

    /// Ends the process; runs on a queue rather than in a signal handler, so it may call any function.
    private static func endAtOnce(_ number: Int32, _ remains: String?) -> Never {
        Console.note("headwind: ended at once, without clean-up.\(remains.map { " " + $0 } ?? "")")
        _exit(status(number))
    }
}
