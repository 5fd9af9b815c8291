package import LinkModel

/// Why a client was turned away.
package enum Refusal: Error, Sendable, Hashable {
    /// The link's conditions did not let it connect.
    case modelled(ConnectFailure)
    /// It may not go where it wants to.
    case denied(Denial)
    /// It did not send the user and the password; `ofPage`: of a page of the proxy itself.
    case unauthenticated(ofPage: Bool)
    /// Its request could not be understood.
    case malformed(String)
    /// Its request was understood, and asks for what is not offered.
    case unsupported(UnsupportedRequest)
    /// Its request's head, or that of SOCKS, did not come in time.
    case tooSlow
    /// There are as many connections as allowed.
    case tooMany
    /// The link let it through, and then the target itself could not be reached: what the system said.
    case upstream(UpstreamFailure)
}

/// What SOCKS has and this proxy has not.
package enum UnsupportedRequest: Sendable, Hashable, CustomStringConvertible {
    /// SOCKS 4 and 4a.
    case version4
    /// A client that insists on telling who it is.
    case authentication
    /// BIND and UDP ASSOCIATE, or none that RFC 1928 knows.
    case command
    /// Neither a name nor an address of IPv4 or IPv6.
    case addressType

    package var description: String {
        switch self {
        case .version4: "this proxy speaks SOCKS 5, not SOCKS 4"
        case .authentication: "the client insists on authentication, and this proxy has no password"
        case .command: "this proxy supports only CONNECT of SOCKS"
        case .addressType: "the SOCKS request has neither a name nor an IPv4 or IPv6 address"
        }
    }
}

/// Why the real target could not be reached.
package struct UpstreamFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, Hashable, Codable {
        case refused
        case unreachable
        case timedOut = "timed-out"
        case noName = "no-name"
        case other
    }

    package let kind: Kind
    package let target: Endpoint
    /// What the system said.
    package let reason: String

    package init(kind: Kind, target: Endpoint, reason: String) {
        self.kind = kind
        self.target = target
        self.reason = reason
    }

    package var description: String { "Could not connect to \(target): \(reason)." }
}
