import ArgumentParser
import Dispatch
import Glibc
import LinuxSupport
import Synchronization

/// SIGINT, SIGTERM and SIGHUP for commands that run until they are told to stop.
///
/// The first signal ends the command in an orderly way, a second one at once.
enum Interruption {
    private static let received = Mutex<(number: Int32, at: ContinuousClock.Instant)?>(nil)

    /// The signal that told the command to stop; nil before.
    static var first: Int32? { received.withLock { $0?.number } }

    /// Runs `body`; at a signal cancels it, waits for its end, and throws the status that the process is to exit with.
    ///
    /// That is 130 for SIGINT and 143 for the others. What `body` throws after a signal is not reported: it was told to
    /// stop. At a second signal the process ends with a word on standard error, and with what `remains` says to that.
    static func endsWell(
        remains: @escaping @Sendable () -> String? = { nil }, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let work = Task { try await body() }
        // A queue of its own: tasks that block cannot keep the second signal from it.
        let queue = DispatchQueue(label: "headwind.signals")
        let sources = signals.map { number in
            // Else the process would end before its source is told.
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

    /// Those that are minded: SIGHUP only where it is not ignored, as nohup(1) has it.
    private static var signals: [Int32] {
        var action = sigaction()
        let isIgnored = sigaction(SIGHUP, nil, &action) == 0 && action.isIgnored
        return isIgnored ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    }

    private static func status(_ number: Int32) -> Int32 {
        (number == SIGINT ? ExitStatus.interrupted : .terminated).rawValue
    }

    /// Runs on a queue of its own and not in a signal's handler, so that it may do what any code may.
    private static func endAtOnce(_ number: Int32, _ remains: String?) -> Never {
        Console.note("headwind: ended at once, without clean-up.\(remains.map { " " + $0 } ?? "")")
        _exit(status(number))
    }
}
