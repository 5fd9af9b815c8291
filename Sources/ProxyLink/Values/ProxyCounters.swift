package import LinkModel

/// The traffic of a ``ProxyLink`` since it came up.
package struct ProxyCounters: Sendable, Hashable {
    /// One connection that is open now.
    package struct Connection: Sendable, Hashable {
        package var id: Int
        package var key: ConnectionKey?
        /// The client's address and port; nil if it has left.
        package var client: String?
        package var target: Endpoint?
        /// The name of the TLS server that the client asked for (SNI); nil without TLS.
        package var serverName: String?
        /// The named proxy that accepted it; nil if another listener did.
        package var proxy: String?
        /// Payload bytes delivered to the client.
        package var downlink: Int64
        /// Payload bytes delivered to the target.
        package var uplink: Int64
    }

    /// Payload bytes delivered to clients and to targets, by the model or past it.
    package var payload = PerDirection<Int64>(both: 0)
    /// Those of `payload` that took the fast path of an unshaped link, past the model.
    package var relayed = PerDirection<Int64>(both: 0)
    /// Those of `relayed` that the kernel moved from socket to socket, by splice(2).
    package var spliced = PerDirection<Int64>(both: 0)
    /// The model's counters, which include headers and retransmissions.
    package var link = LinkCounters(both: DirectionCounters())
    /// Connections accepted so far.
    package var accepted = 0
    /// Connections refused so far.
    package var refused = 0
    /// Events that were dropped because they were not read in time.
    package var droppedEvents = 0
    /// Goes up by one with each change of the conditions.
    package var generation = 0
    /// The connections that are open now, in order of accept.
    package var open: [Connection] = []
}
