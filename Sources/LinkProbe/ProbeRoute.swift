/// The way from a probe to its server.
package enum ProbeRoute: Sendable, Equatable {
    /// Straight to the server, past every proxy.
    case direct
    /// Through an HTTP CONNECT tunnel (RFC 9110, section 9.3.6); `host` is a numeric address or a name.
    case proxy(host: String, port: Int)
}
