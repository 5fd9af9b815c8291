import NIOCore

/// Distinguishes a client that takes nothing from a slow one.
///
/// Only waits for the client count, not pauses of the script itself. Progress is any byte that the kernel takes or that
/// the client acknowledges.
struct ProgressWatch {
    /// How often to check: every quarter of the limit, but at least 1 ms and at most 1 s.
    let period: TimeAmount
    /// The timer of the next check.
    var patrol: Scheduled<Void>?

    private let limit: TimeAmount
    private var isWaiting = false
    private var seen: Seen?
    private var since = NIODeadline.now()

    private struct Seen: Equatable {
        let unacknowledged: Int64?
        let handed: Int64
    }

    init(limit: TimeAmount) {
        self.limit = limit
        period = .nanoseconds(min(max(limit.nanoseconds / 4, 1_000_000), 1_000_000_000))
    }

    /// Begins a wait for the client.
    mutating func begin() {
        guard !isWaiting else { return }
        isWaiting = true
        (seen, since) = (nil, .now())
    }

    /// Ends the wait for the client.
    mutating func end() { isWaiting = false }

    /// Whether the client has taken nothing for the whole limit, as far as the checks so far show.
    mutating func isStalled(_ unacknowledged: Int64?, _ handed: Int64) -> Bool {
        guard isWaiting else { return false }
        let now = Seen(unacknowledged: unacknowledged, handed: handed)
        if seen != now {
            if seen != nil { since = .now() }
            seen = now
        }
        return NIODeadline.now() - since >= limit
    }
}
