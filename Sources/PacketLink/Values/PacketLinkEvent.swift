package import LinkModel

/// Something that happened on a ``PacketLink``.
package struct PacketLinkEvent: Sendable, Hashable {
    /// On CLOCK_MONOTONIC; for what the model decides, the model's exact moment.
    package var at: Instant
    /// Which flow, counted from 1 in order of first packets; 0: the link itself.
    package var flow: Int
    package var kind: Kind

    package init(at: Instant, flow: Int, kind: Kind) {
        self.at = at
        self.flow = flow
        self.kind = kind
    }

    package enum Kind: Sendable, Hashable {
        /// The first packet of a flow has come in.
        ///
        /// `name` is what random decisions about it are keyed by: `#3` for the third TCP connection, `udp#3`.
        case opened(FlowKey, name: String)
        /// The first request names the connection; random decisions follow this key from here on.
        case keyed(ConnectionKey)
        /// The first payload in this direction has been delivered.
        case firstPayload(Direction)
        /// The receiver in this direction has `total` payload bytes: of TCP without gaps, and once.
        ///
        /// At most one every 10 ms a direction of a flow.
        case delivered(Direction, total: Int64)
        /// The sender in this direction has learned that `total` payload bytes of TCP arrived.
        ///
        /// At most one every 10 ms a direction of a flow.
        case acknowledged(Direction, total: Int64)
        /// The connection is over, or is no longer told apart; so many payload bytes of it were delivered.
        case closed(downlink: Int64, uplink: Int64, cause: FlowEnd)
        /// These conditions hold from now on; the generation goes up by one with each change.
        case conditions(LinkConditions, generation: Int)
        /// A random decision, or one of a schedule, went against a packet: a line of the fault schedule.
        case decision(Decision)
        /// A descriptor or the memory of the link has failed, and the link has ended.
        case failed(PacketLinkError)
    }
}

/// Why a flow is over.
package enum FlowEnd: String, Sendable, Hashable, Codable {
    /// Both ends have finished, and both know.
    case finished
    case clientReset = "client-reset"
    case hostReset = "host-reset"
    /// The link reset it: offline, refused; a schedule's cut; or ``PacketLink/cut()``.
    case linkReset = "link-reset"
    /// Its ports were used again, or it had to make room for another one.
    case replaced
}
