import NIOCore

/// Tells a client that takes nothing from one that takes it slowly.
///
/// Only waits for the client count; what the script itself waits for does not. Progress is any byte that the kernel
/// took or that the client acknowledged.
struct ProgressWatch {
    /// How often to look.
    let period: TimeAmount
    /// The timer of the next look.
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

    /// A wait for the client begins.
    mutating func begin() {
        guard !isWaiting else { return }
        isWaiting = true
        (seen, since) = (nil, .now())
    }

    /// The wait is over.
    mutating func end() { isWaiting = false }

    /// Whether the client has taken nothing for the whole limit, as far as the looks so far tell.
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
