package import LinkModel

/// Why a client was turned away.
package enum Refusal: Sendable, Hashable {
    /// The link's conditions did not let it connect.
    case modelled(ConnectFailure)
    /// There is no route to what it asked for.
    case denied
    /// Its request could not be understood.
    case malformed(String)
    /// Its request's head did not come in time.
    case tooSlow
    /// There are as many connections as allowed.
    case tooMany
    /// The link let it through, and then the target itself could not be reached: what the system said.
    case upstream(UpstreamFailure)
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
