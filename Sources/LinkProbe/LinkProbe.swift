package import NIOCore

/// Measures a link by sending over it, without any knowledge of how the link works.
package enum LinkProbe {
    /// Measures the path to `server` on one connection: the delays, then the rate of the downlink, then of the uplink.
    ///
    /// Messages of ``ProbeResult/echoBytes`` bytes go to the server and back, and the server adds the time at which it
    /// read them. This gives one-way delays, as both ends read the same clock. Then one end sends, and the other logs
    /// when bytes arrive. If the download does not end in its time, its connection is reset, and the upload has another
    /// one.
    ///
    /// A direction that carried too little before the deadline is no error: its ``Throughput/rate`` is `nil`.
    ///
    /// - Parameters:
    ///   - route: the proxy to use, or none.
    ///   - server: the server of the probe.
    ///   - plan: how much to send, and for how long.
    /// - Returns: the measured delays and rates.
    /// - Throws: ``ProbeError`` if there is no connection, the proxy refuses, a connection closes too early, or nothing
    ///   at all comes back before the deadline; `CancellationError` if the task is cancelled.
    package static func measure(
        through route: ProbeRoute, target server: ProbeServer, plan: ProbePlan
    ) async throws -> ProbeResult {
        try await withEventLoop { loop in
            try await Probe(route: route, server: server, plan: plan, loop: loop).run()
        }
    }
}

/// The path from a probe to its server.
package enum ProbeRoute: Sendable {
    /// A direct connection to the server, without a proxy.
    case direct
    /// Through an HTTP CONNECT tunnel (RFC 9110, section 9.3.6); `host` is a numeric address or a name.
    case proxy(host: String, port: Int)
    /// Stream sockets that the closure connects to the server: one for each call, which the probe then owns.
    case sockets(@Sendable () async throws -> NIOBSDSocket.Handle)
}
