package import LinkModel

/// Everything that the link reported during one attempt.
package struct LinkLog: Sendable {
    private(set) var events: [LinkEvent] = []
    /// The link's number of a connection, by the port from which it reached the host.
    private(set) var connectionByPort: [Int: Int] = [:]
    /// Bytes that reached the client, by connection.
    private(set) var downlink: [Int: Int64] = [:]
    private(set) var mostOpen = 0
    /// When the link began the time of its profile, in nanoseconds of CLOCK_MONOTONIC; nil until it has reported that.
    private(set) var startedAt: Int64?
    private var open = 0
    /// The IP protocol number of TCP (RFC 9293).
    private static let tcp: UInt8 = 6

    package init() {}

    package mutating func append(_ event: LinkEvent) {
        events.append(event)
        switch event.kind {
        case .connected:
            open += 1
            mostOpen = max(mostOpen, open)
        case .flow(Self.tcp, _, _, let port):
            open += 1
            mostOpen = max(mostOpen, open)
            connectionByPort[port] = event.connection
        case .hostSide(let port):
            connectionByPort[port] = event.connection
        case .delivered(.downlink, let total):
            downlink[event.connection] = total
        case .closed(let bytes, _, _):
            downlink[event.connection] = bytes
            open = max(0, open - 1)
        case .conditions(_, generation: 0):
            startedAt = startedAt ?? event.at.nanoseconds
        case .flow, .lookup, .opened, .keyed, .serverName, .refused, .delivered, .conditions, .decision:
            break
        }
    }

    /// When bytes reached the client, by connection, in nanoseconds of CLOCK_MONOTONIC and in order of time.
    var arrivals: [Int: [Int64]] {
        events.reduce(into: [:]) { arrivals, event in
            guard case .delivered(.downlink, _) = event.kind else { return }
            arrivals[event.connection, default: []].append(event.at.nanoseconds)
        }
    }

    /// When connections closed, by connection, in nanoseconds of CLOCK_MONOTONIC.
    var closings: [Int: Int64] {
        events.reduce(into: [:]) { closings, event in
            guard case .closed = event.kind else { return }
            closings[event.connection] = event.at.nanoseconds
        }
    }
}

extension LinkEvent {
    /// Whether it is the start of a connection, a lookup, or another flow of the client.
    var isFlow: Bool {
        switch kind {
        case .opened, .flow: true
        case .lookup, .keyed, .connected, .refused, .hostSide, .serverName, .delivered, .closed, .conditions, .decision:
            false
        }
    }
}
