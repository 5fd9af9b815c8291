/// Something that happened on a link, whatever backend carries it.
///
/// This is the only declaration of a link's events. Lines of `events.jsonl` have its encoded form, and the tables of
/// `docs/reference/events.md` are derived from the comments on its cases.
package struct LinkEvent: Sendable, Hashable, Encodable {
    /// When it happened, on CLOCK_MONOTONIC.
    package var at: Instant
    /// The number of the connection, counted from 1; 0: the link itself.
    package var connection: Int
    /// The named link of a proxy; nil for a link that is the only one.
    package var link: String?
    package var kind: Kind

    package enum CodingKeys: String, CodingKey {
        case at = "t"
        case connection, link
        case kind = "event"
    }

    package init(at: Instant, connection: Int, link: String? = nil, kind: Kind) {
        (self.at, self.connection, self.link, self.kind) = (at, connection, link, kind)
    }

    package enum Kind: Sendable, Hashable, Encodable {
        /// A client asks the proxy for a connection.
        ///
        /// - Parameters:
        ///   - mode: The way in: `reverse`, `tunnel`, `socks`, `forward`, or `proxy` and the name of a named one.
        ///   - target: The host and port that it asks for.
        ///   - key: The key of random decisions about the connection.
        ///   - client: The client's address and port.
        case opened(mode: String, target: String, key: String, client: String? = nil)
        /// The first packet of a flow.
        ///
        /// - Parameters:
        ///   - protocol: The number of its protocol; 6 is TCP.
        ///   - port: The client's port, which the host sees.
        case flow(protocol: UInt8, target: String, key: String, port: Int)
        /// The client looks up a name by a datagram.
        ///
        /// - Parameters:
        ///   - type: The number of the record type: 1 is an IPv4 address, 28 an IPv6 address.
        case lookup(type: Int)
        /// The first request names the connection; random decisions follow this key from here on.
        ///
        /// - Parameters:
        ///   - alias: Another name that schedules may have for it: its place among the connections with its path.
        case keyed(key: String, alias: String?)
        /// The client opens TLS, and names the server (RFC 6066 §3).
        ///
        /// - Parameters:
        ///   - name: A host's name in lower case.
        case serverName(name: String)
        /// The handshake is done.
        case connected
        /// The client was turned away.
        ///
        /// - Parameters:
        ///   - reason: Why.
        case refused(reason: String)
        /// The proxy has a connection to the host, which sees it come from this port.
        case hostSide(port: Int)
        /// Payload bytes of this connection have been delivered.
        ///
        /// - Parameters:
        ///   - direction: `downlink` or `uplink`.
        ///   - total: The number of bytes so far.
        case delivered(direction: Direction, total: Int64)
        /// The connection is gone.
        ///
        /// - Parameters:
        ///   - downlink: Payload bytes that were delivered to the client.
        ///   - uplink: Payload bytes that were delivered to the host.
        ///   - cause: Why it ended: `finished`, `client-reset`, `host-reset`, `link-reset`, `gave-up`, `refused`,
        ///     `replaced` or `link-closed`.
        case closed(downlink: Int64, uplink: Int64, cause: CloseCause)
        /// These conditions hold from now on.
        ///
        /// - Parameters:
        ///   - conditions: The differences from an unshaped link, with the keys of a [profile](profiles.md).
        ///   - generation: A number that increases by one with each change, from 0.
        case conditions(conditions: LinkConditions, generation: Int)
        /// A decision dropped, delayed or changed a part of the traffic.
        ///
        /// - Parameters:
        ///   - line: A line of the [fault schedule](../how-to/replay.md).
        case decision(line: Decision)

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case opened, flow, lookup, keyed, connected, refused, delivered, closed, conditions, decision
            case hostSide = "upstream-connected"
            case serverName = "server-name"
        }

        package enum DeliveredCodingKeys: CodingKey { case direction, total }
        package enum ConditionsCodingKeys: CodingKey { case conditions, generation }
    }
}

/// Why a connection ended.
package enum CloseCause: String, Sendable, Hashable, Encodable {
    /// Both ends have finished, and each knows that the other has.
    case finished
    case clientReset = "client-reset"
    case hostReset = "host-reset"
    /// The link reset it: `offline: refused`, a schedule's cut, or ``ConditionedLink/cut()``.
    case linkReset = "link-reset"
    /// The client left before it was connected.
    case gaveUp = "gave-up"
    case refused
    /// Another connection used its ports again, or it had to make room for another one.
    case replaced
    /// The link was taken down.
    case linkClosed = "link-closed"
}
