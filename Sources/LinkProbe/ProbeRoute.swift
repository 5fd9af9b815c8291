package import NIOCore

/// The way from a probe to its server.
package enum ProbeRoute: Sendable {
    /// Straight to the server, past every proxy.
    case direct
    /// Through an HTTP CONNECT tunnel (RFC 9110, section 9.3.6); `host` is a numeric address or a name.
    case proxy(host: String, port: Int)
    /// By stream sockets that somebody else connects to the server: one for each call, which the probe then owns.
    case sockets(@Sendable () async throws -> NIOBSDSocket.Handle)
}
