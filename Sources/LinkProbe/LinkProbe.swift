package import NIOCore

/// Measures what a link really does, by sending over it: knowing nothing of how the link is made.
package enum LinkProbe {
    /// Measures the way to `server`: delays first, then the downlink's rate, then the uplink's, on one connection.
    ///
    /// Messages of ``ProbeResult/echoBytes`` go to and fro, and the server says when it read them: that makes one-way
    /// delays, since both ends read one clock. Then one end sends, and the other notes when bytes arrive. Where the
    /// download did not end in its time, the connection is reset, and the upload has another one.
    ///
    /// A direction that carried too little before the deadline is no error: its ``Throughput/rate`` is `nil`.
    ///
    /// - Parameters:
    ///   - route: the proxy to go through, or none.
    ///   - server: where to.
    ///   - plan: how much, and for how long.
    /// - Returns: what the link did.
    /// - Throws: ``ProbeError`` where there is no connection, the proxy refuses, a connection closes too early, or nothing at
    ///   all comes back before the deadline; `CancellationError` where the task is cancelled.
    package static func measure(
        through route: ProbeRoute, target server: ProbeServer, plan: ProbePlan = ProbePlan()
    ) async throws -> ProbeResult {
        try await withEventLoop { loop in
            try await Probe(route: route, server: server, plan: plan, loop: loop).run()
        }
    }
}

/// The way from a probe to its server.
package enum ProbeRoute: Sendable {
    /// Straight to the server, past every proxy.
    case direct
    /// Through an HTTP CONNECT tunnel (RFC 9110, section 9.3.6); `host` is a numeric address or a name.
    case proxy(host: String, port: Int)
    /// By stream sockets that somebody else connects to the server: one for each call, which the probe then owns.
    case sockets(@Sendable () async throws -> NIOBSDSocket.Handle)
}
