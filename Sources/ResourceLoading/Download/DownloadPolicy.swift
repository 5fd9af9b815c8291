/// Decides after each failed try of one download whether there is another, when, and from where.
///
/// A value without clock or I/O: moments are nanoseconds of any one clock.
struct DownloadPolicy: Sendable {
    /// What happens next.
    enum Decision: Hashable, Sendable {
        /// Another try, after a pause. `fromZero` throws away what is there.
        case again(after: Duration, fromZero: Bool)
        /// It is over, for this reason.
        case fail(DownloadFailure)
    }

    /// What one try brought before it failed.
    struct Try: Sendable {
        /// Bytes that are there now and were not before.
        var gained: Int64 = 0
        /// Whether the host answered at all.
        var isAnswered = false
        /// Whether it fell silent in mid-body because there is no way to the host any more.
        var isCutOff = false
        /// What Retry-After asked for.
        var retryAfter: Duration?
        /// When it ended.
        var end: Int64
    }

    /// How many tries in a row may bring nothing but a short body.
    static let fruitlessShortTries = 3
    /// How often a file may be thrown away because the host's copy changed.
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

    /// How long nothing has arrived.
    func waited(at now: Int64) -> Duration { .nanoseconds(max(0, now - lastGain)) }

    /// Decides after a try that failed.
    mutating func next(after failure: DownloadFailure, _ last: Try) -> Decision {
        hasBeenAnswered = hasBeenAnswered || last.isAnswered
        if last.gained > 0 {
            lastGain = last.end
            shortInRow = 0
            // Little drops do not calm a retry: a host that cuts after every kilobyte is not to be hammered.
            if last.gained >= 64 * 1024 { failuresInRow = 0 }
        }
        switch failure.kind {
        // Patience is over already, and it was spent on a connection that is none.
        case .silent where last.isCutOff:
            let text = "The host is no longer reachable. \(failure.detail)"
            return .fail(DownloadFailure(.connectionLost, text, underlying: failure.underlying))
        case .connectionLost:
            return retry(failure, last, atMost: .seconds(2))
        case .shortBody:
            shortInRow += last.gained == 0 ? 1 : 0
            return shortInRow >= Self.fruitlessShortTries ? .fail(failure) : retry(failure, last, atMost: .seconds(2))
        case .noRoute, .nameNotFound, .refused, .handshake:
            // A link that has worked is worth waiting for; one that never did is reported at once.
            guard hasBeenAnswered else { return .fail(failure) }
            let lost = DownloadFailure(.connectionLost, failure.detail, underlying: failure.underlying)
            return retry(lost, last, atMost: .seconds(2))
        // A resolver and a proxy have a patience of their own, and what counts is the request's.
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

    /// Decides after an answer that makes what is there worthless: a changed file, or a refused range.
    mutating func startOver(because reason: String) -> Decision {
        hasBeenAnswered = true
        restartCount += 1
        guard restartCount <= Self.restarts else {
            return .fail(DownloadFailure(.badResponse, "\(reason) This happened \(restartCount) times."))
        }
        return .again(after: .zero, fromZero: true)
    }

    /// Waits longer after each failure, unless the host says how long; gives up where that is past all patience.
    private mutating func retry(_ failure: DownloadFailure, _ last: Try, atMost limit: Duration) -> Decision {
        let ownPause = failuresInRow == 0 && last.gained > 0 ? .zero : Self.pause(after: failuresInRow, atMost: limit)
        let pause = last.retryAfter ?? ownPause
        failuresInRow += 1
        guard pause.nanoseconds <= patience - (last.end - lastGain) else { return .fail(failure) }
        return .again(after: pause, fromZero: false)
    }

    /// 0.25 s, doubled with every failure in a row.
    private static func pause(after failures: Int, atMost limit: Duration) -> Duration {
        min(limit, .milliseconds(250 << min(failures, 8)))
    }
}
