/// Something that happened on a link, whatever backend carries it.
package struct LinkEvent: Sendable, Hashable {
    /// On CLOCK_MONOTONIC.
    package var at: Instant
    /// Which connection, counted from 1; 0: the link itself.
    package var connection: Int
    package var kind: Kind

    package init(at: Instant, connection: Int, kind: Kind) {
        (self.at, self.connection, self.kind) = (at, connection, kind)
    }

    package enum Kind: Sendable, Hashable {
        /// A client wants to go somewhere: how it came in, where to, and what random decisions are keyed by.
        case opened(door: String, target: String, key: String)
        /// The first packet of a flow: the protocol's number, where to, what random decisions are keyed by, and the client's
        /// port, which the host sees.
        case flow(protocol: UInt8, target: String, key: String, port: Int)
        /// The first request names the connection; random decisions follow this key from here on.
        case keyed(String)
        /// The handshake is done.
        case connected
        /// The client was turned away.
        case refused(String)
        /// The host sees the connection come from this port.
        case hostSide(port: Int)
        /// So many payload bytes of this connection have been delivered so far.
        case delivered(Direction, total: Int64)
        /// The connection is gone.
        case closed(downlink: Int64, uplink: Int64, cause: String)
        /// These conditions hold from now on.
        case conditions(LinkConditions, generation: Int)
        /// A decision went against a part of the traffic: a line of the fault schedule.
        case decision(line: String)
    }
}
