/// One of the two ends of a stream.
///
/// What code for each packet uses is inlined into other modules; the compiler does not do so by itself.
@usableFromInline
package enum End: String, Sendable, CaseIterable, Codable {
    case client
    case host

    @inlinable package var peer: End { self == .client ? .host : .client }

    /// The direction in which this end sends.
    @inlinable package var sends: Direction { self == .client ? .uplink : .downlink }

    @inlinable
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.client, .client), (.host, .host): true
        default: false
        }
    }
}

/// A stream of a ``StreamLink``.
package struct StreamID: Hashable, Sendable {
    let slot: Int
    let generation: UInt32
}

/// Why a connection could not be made.
package enum ConnectFailure: String, Sendable, Hashable, Codable {
    /// There is no route to the host: at once.
    case noRoute = "no-route"
    /// The host answered with RST: after a round trip.
    case refused
    /// The name does not exist: after the lookup.
    case noName = "no-name"
    /// Nothing answered, up to the last retry (tcp(7): tcp_syn_retries; resolv.conf(5): attempts).
    case timedOut = "timed-out"
}

/// What happens on a ``StreamLink``, with its exact moment.
package enum StreamEvent: Sendable, Hashable {
    /// The handshake is done, as the client sees it.
    case connected(StreamID, at: Instant)
    case failed(StreamID, ConnectFailure, at: Instant)
    /// `count` more bytes have arrived in order.
    case delivered(StreamID, to: End, count: Int, at: Instant)
    /// The peer's FIN has arrived, after all of its bytes.
    case finished(StreamID, end: End, at: Instant)
    /// The peer's RST has arrived.
    case reset(StreamID, end: End, at: Instant)
    /// A decision, by chance or by a schedule, that had an effect on a packet.
    case decision(Decision)
}

/// What has crossed a ``StreamLink`` since it came up.
package typealias LinkCounters = PerDirection<DirectionCounters>
