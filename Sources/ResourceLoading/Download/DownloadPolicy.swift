/// Decides after each failed try of a download whether to try again, when, and from where.
///
/// A value without clock or I/O: times are nanoseconds of any one clock.
struct DownloadPolicy: Sendable {
    /// What happens next.
    enum Decision: Hashable, Sendable {
        /// Another try, after a pause; `fromZero` discards the bytes that have arrived.
        case again(after: Duration, fromZero: Bool)
        /// The download fails for this reason.
        case fail(DownloadFailure)
    }

    /// What one try brought before it failed.
    struct Try: Sendable {
        /// Bytes that are there now and were not there before.
        var gained: Int64 = 0
        /// Whether the host answered at all.
        var isAnswered = false
        /// Whether it fell silent during the body because there is no longer a route to the host.
        var isCutOff = false
        /// The wait that Retry-After asked for.
        var retryAfter: Duration?
        /// When it ended.
        var end: Int64
    }

    /// A download fails after this many tries in a row with a short body and no new bytes.
    static let fruitlessShortTries = 3
    /// How often a download may start over because the host's copy changed.
    static let restarts = 5

    private let patience: Int64
    private var lastGain: Int64
    private var hasBeenAnswered = false
    private var failuresInRow = 0
    private var shortInRow = 0
    private var restartCount = 0
    private var isSecondContent = false

    /// A policy for a download that begins at `start`.
    init(patience: Duration, start: Int64) {
        self.patience = patience.nanoseconds
        lastGain = start
    }

    /// The time since new bytes arrived.
    func waited(at now: Int64) -> Duration { .nanoseconds(max(0, now - lastGain)) }

    /// Decides after a failed try.
    mutating func next(after failure: DownloadFailure, _ last: Try) -> Decision {
        hasBeenAnswered = hasBeenAnswered || last.isAnswered
        if last.gained > 0 {
            lastGain = last.end
            shortInRow = 0
            // A few bytes do not shorten the pause: a host that cuts after every kilobyte must not be flooded.
            if last.gained >= 64 * 1024 { failuresInRow = 0 }
        }
        switch failure.kind {
        // The patience is over, and it was spent on a dead connection.
        case .silent where last.isCutOff:
            let text = "The host is no longer reachable. \(failure.detail)"
            return .fail(DownloadFailure(.connectionLost, text, underlying: failure.underlying))
        case .connectionLost:
            return retry(failure, last, atMost: .seconds(2))
        case .shortBody:
            shortInRow += last.gained == 0 ? 1 : 0
            return shortInRow >= Self.fruitlessShortTries ? .fail(failure) : retry(failure, last, atMost: .seconds(2))
        case .noRoute, .nameNotFound, .refused, .handshake:
            // A link that has worked is worth waiting for; a failure before the first answer is reported at once.
            guard hasBeenAnswered else { return .fail(failure) }
            let lost = DownloadFailure(.connectionLost, failure.detail, underlying: failure.underlying)
            return retry(lost, last, atMost: .seconds(2))
        // A resolver and a proxy have time limits of their own, but the request's patience counts.
        case .unanswered:
            return retry(failure, last, atMost: .seconds(2))
        case .busy:
            return retry(failure, last, atMost: .seconds(8))
        case .wrongContent:
            guard !isSecondContent else { return .fail(failure) }
            isSecondContent = true
            lastGain = last.end
            return .again(after: .zero, fromZero: true)
        default:
            return .fail(failure)
        }
    }

    /// Decides after an answer that makes the bytes so far useless: a changed file, or a refused range.
    mutating func startOver(because reason: String) -> Decision {
        hasBeenAnswered = true
        restartCount += 1
        guard restartCount <= Self.restarts else {
            return .fail(DownloadFailure(.badResponse, "\(reason) This happened \(restartCount) times."))
        }
        return .again(after: .zero, fromZero: true)
    }

    /// Waits longer after each failure, or as long as the host says; gives up if that exceeds the rest of the patience.
    private mutating func retry(_ failure: DownloadFailure, _ last: Try, atMost limit: Duration) -> Decision {
        let ownPause = failuresInRow == 0 && last.gained > 0 ? .zero : Self.pause(after: failuresInRow, atMost: limit)
        let pause = last.retryAfter ?? ownPause
        failuresInRow += 1
        guard pause.nanoseconds <= patience - (last.end - lastGain) else { return .fail(failure) }
        return .again(after: pause, fromZero: false)
    }

    /// The pause before the next try: 0.25 s, doubled with every failure in a row, and at most `limit`.
    private static func pause(after failures: Int, atMost limit: Duration) -> Duration {
        min(limit, .milliseconds(250 << min(failures, 8)))
    }
}
