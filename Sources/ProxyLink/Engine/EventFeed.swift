internal import LinkModel

/// The stream of events, with a bound: what nobody reads in time is counted, not kept.
struct EventFeed {
    let events: AsyncStream<ProxyEvent>
    private let continuation: AsyncStream<ProxyEvent>.Continuation
    private(set) var dropped = 0

    init(limit: Int) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(limit))
    }

    mutating func emit(_ kind: ProxyEvent.Kind, connection: Int, at: Instant) {
        if case .dropped = continuation.yield(ProxyEvent(at: at, connection: connection, kind: kind)) { dropped += 1 }
    }

    func finish() { continuation.finish() }
}
