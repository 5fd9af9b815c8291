package import LinkModel
import Results

/// Everything that the link reported during one attempt.
package struct LinkLog: Sendable {
    private(set) var events: [LinkEvent] = []
    /// The link's connections to the host, by the port from which each reached it and in order of time.
    private var connectionsByPort: [Int: [(at: Int64, connection: Int)]] = [:]
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
        case .connected: open += 1
        case .flow(Self.tcp, _, _, let port):
            open += 1
            connectionsByPort[port, default: []].append((event.at.nanoseconds, event.connection))
        case .hostSide(let port):
            connectionsByPort[port, default: []].append((event.at.nanoseconds, event.connection))
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
        mostOpen = max(mostOpen, open)
    }

    /// The link's number of the connection that the host accepted from a port; nil if the link made none from there.
    ///
    /// A client that connects often uses a port again. `time` is when the host accepted the connection, in nanoseconds
    /// of CLOCK_MONOTONIC. A proxy may report its connection a moment later, and no port is used twice in that time.
    func connection(fromPort port: Int, at time: Int64) -> Int? {
        guard let uses = connectionsByPort[port] else { return nil }
        return (uses.last { $0.at <= time + 1_000_000_000 } ?? uses[0]).connection
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

extension LinkLog {
    /// The connections that clients opened, in order; nil if the link reports none.
    var connections: [ConductRecord.Connection]? {
        var places: [Int: Int] = [:]
        var found: [ConductRecord.Connection] = []
        func note(_ number: Int, _ change: (inout ConductRecord.Connection) -> Void) {
            if let place = places[number] { change(&found[place]) }
        }
        for event in events {
            switch event.kind {
            case .opened(_, _, let key, _), .flow(protocol: 6, _, let key, _):
                guard found.count < ConductRecord.mostEntries else { continue }
                places[event.connection] = found.count
                found.append(.init(name: key))
            case .keyed(let key, _): note(event.connection) { $0.name = key }
            case .delivered(.downlink, let total): note(event.connection) { $0.downlinkBytes = total }
            case .delivered(.uplink, let total): note(event.connection) { $0.uplinkBytes = total }
            case .closed(let downlink, let uplink, let cause):
                note(event.connection) {
                    ($0.downlinkBytes, $0.uplinkBytes, $0.end) = (downlink, uplink, cause.rawValue)
                }
            case .flow, .lookup, .connected, .refused, .hostSide, .serverName, .conditions, .decision: continue
            }
        }
        return found.isEmpty ? nil : found
    }
}
