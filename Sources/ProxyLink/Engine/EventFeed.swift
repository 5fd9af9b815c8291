internal import LinkModel

/// The stream of events, with a bound: what nobody reads in time is counted, not kept.
struct EventFeed {
    let events: AsyncStream<LinkEvent>
    private let continuation: AsyncStream<LinkEvent>.Continuation
    private(set) var dropped = 0

    init(limit: Int) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(limit))
    }

    mutating func emit(_ kind: LinkEvent.Kind, connection: Int, at: Instant) {
        if case .dropped = continuation.yield(LinkEvent(at: at, connection: connection, kind: kind)) { dropped += 1 }
    }

    func finish() { continuation.finish() }
}
