/// Whether a download is tried again, and when.
struct Policy {
    private static let shortTries = 3
    private static let mostTries = 100

    let patience: Double
    let bugs: Bugs
    private var draw: Draw
    private var lastGain = Clock.seconds
    private var isAnswered = false
    private var inRow = 0
    private var shortInRow = 0
    private var losses = 0
    private var tries = 0
    private var isSecondContent = false

    init(patience: Double, bugs: Bugs, draw: Draw) {
        (self.patience, self.bugs, self.draw) = (patience, bugs, draw)
    }

    /// Records a try that ends now, whose last sign of life was at `last`.
    mutating func note(gained: Int64, last: Double, answered: Bool) {
        tries += 1
        isAnswered = isAnswered || answered
        guard gained > 0 else { return }
        lastGain = last
        (inRow, shortInRow) = (0, 0)
    }

    /// The failure for the caller: `lost` instead of failures to connect, if the host has responded before.
    func told(_ failure: Failure) -> Failure {
        guard isAnswered, [.offline, .noName, .refused, .tls].contains(failure.kind) else { return failure }
        return Failure(.lost, failure.message)
    }

    /// The seconds until the next try, or nil if there is none.
    mutating func pause(after failure: Failure) -> Double? {
        switch failure.kind {
        case .wrongContent:
            // BUG: no limit.
            if bugs.has(.refetchesWhole) { return bugs.haste }
            defer { (isSecondContent, lastGain) = (true, Clock.seconds) }
            return isSecondContent ? nil : 0
        case .short:
            shortInRow += 1
            if shortInRow >= Self.shortTries { return nil }
        case .lost, .offline, .noName, .refused, .tls:
            if failure.kind != .lost, !isAnswered { return nil }
            losses += 1
            // BUG: counts losses after which it made progress.
            if bugs.has(.breaksOnFlapping), losses >= bugs.losses { return nil }
        case .busy: break
        default: return nil
        }
        let seconds = wait(failure)
        // BUG: even for a day.
        if failure.retryAfter != nil, bugs.has(.sleepsAsTold) { return seconds }
        // BUG: no limit.
        if bugs.has(.retriesForever) { return min(seconds, 0.2) }
        let isLate = Clock.seconds + seconds - lastGain > patience
        return isLate || tries >= Self.mostTries ? nil : seconds
    }

    private mutating func wait(_ failure: Failure) -> Double {
        // BUG: its own pause, whatever the host asks for.
        if let asked = failure.retryAfter, !bugs.has(.ignoresRetryAfter) {
            // A date in the past does not say how long to wait.
            return max(asked, ownPause(failure))
        }
        // BUG: at once, and never later.
        return bugs.has(.retriesWithoutBackOff) ? bugs.haste : ownPause(failure)
    }

    private mutating func ownPause(_ failure: Failure) -> Double {
        defer { inRow += 1 }
        let longest = failure.kind == .busy ? 8.0 : 2.0
        return min(longest, 0.25 * Double(1 << min(inRow, 6))) * draw.number(1...1.2)
    }
}
