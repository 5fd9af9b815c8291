package import LinkModel

/// The reason why a client was refused.
package enum Refusal: Error, Sendable, Hashable {
    /// The link's conditions did not let the client connect.
    case modelled(ConnectFailure)
    /// The client may not connect to its target, or not use the proxy.
    case denied(Denial)
    /// The client did not send the credentials; `ofPage`: for a page of the proxy itself.
    case unauthenticated(ofPage: Bool)
    /// Its request could not be understood.
    case malformed(String)
    /// Its request was understood, but this proxy does not support it.
    case unsupported(UnsupportedRequest)
    /// Its request's head, or its request of SOCKS, did not come in time.
    case tooSlow
    /// There are already as many connections as the limits allow.
    case tooMany
    /// The link let the client through, but the real target could not be reached; with the system's message.
    case upstream(UpstreamFailure)
}

/// A feature of SOCKS that this proxy does not support.
package enum UnsupportedRequest: String, Sendable {
    /// SOCKS 4 and 4a.
    case version4 = "this proxy speaks SOCKS 5, not SOCKS 4"
    /// A client that offers only methods with authentication.
    case authentication = "the client insists on authentication, and this proxy has no password"
    /// BIND, UDP ASSOCIATE, or a command that is not in RFC 1928.
    case command = "this proxy supports only CONNECT of SOCKS"
    /// An address type other than name, IPv4 and IPv6.
    case addressType = "the SOCKS request has neither a name nor an IPv4 or IPv6 address"
}

/// The reason why the real target could not be reached.
package struct UpstreamFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The failure of a modelled link that means the same; nil if there is none.
    package let kind: ConnectFailure?
    package let target: Endpoint
    /// The system's message.
    package let reason: String

    package var description: String { "Could not connect to \(target): \(reason)." }
}
