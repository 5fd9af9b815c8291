package import LinkModel

/// Something that happened on a ``ProxyLink``.
package struct ProxyEvent: Sendable, Hashable {
    /// On CLOCK_MONOTONIC.
    ///
    /// For what the model decides it is the model's exact moment, not that of the wake-up after it.
    package var at: Instant
    /// Which connection, counted from 1 in order of accept; 0: the link itself.
    package var connection: Int
    package var kind: Kind

    package init(at: Instant, connection: Int, kind: Kind) {
        self.at = at
        self.connection = connection
        self.kind = kind
    }

    package enum Kind: Sendable, Hashable {
        /// A client has said where it wants to go, and its connect attempt is on the link.
        case opened(mode: ProxyMode, target: Endpoint, key: ConnectionKey)
        /// The first request names the connection; random decisions follow this key from here on.
        case keyed(ConnectionKey)
        /// The modelled handshake is done.
        case connected
        /// The client was turned away; nothing was relayed.
        case refused(Refusal)
        /// The real connection to the target is there; `localPort` is the port that the target sees.
        case upstreamConnected(to: Endpoint, localPort: Int)
        /// So many payload bytes of this connection have been delivered so far; at most one every 10 ms a direction.
        case delivered(Direction, total: Int64)
        /// The connection is gone.
        case closed(downlink: Int64, uplink: Int64, cause: CloseCause)
        /// These conditions hold from now on; the generation goes up by one with each change.
        case conditions(LinkConditions, generation: Int)
        /// A random decision went against some bytes: a line of the fault schedule.
        case decision(Decision)
    }
}

/// How a client has the proxy connect it.
package enum ProxyMode: String, Sendable, Hashable, Codable {
    /// A listener with one fixed target.
    case reverse
    /// HTTP CONNECT.
    case tunnel
    /// SOCKS 5.
    case socks
    /// An HTTP request in absolute form.
    case forward
}

/// Why a connection ended.
package enum CloseCause: String, Sendable, Hashable, Codable {
    /// Both ends finished in order.
    case finished
    case clientReset = "client-reset"
    case hostReset = "host-reset"
    /// The link's conditions reset it (offline: refused).
    case linkReset = "link-reset"
    /// The client left before it was connected.
    case gaveUp = "gave-up"
    case refused
    /// The link was taken down.
    case linkClosed = "link-closed"
}
