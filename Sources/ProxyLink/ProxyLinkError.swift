/// Why a ``ProxyLink`` cannot do what it was asked to.
package enum ProxyLinkError: Error, Sendable, Hashable, CustomStringConvertible {
    /// It could not listen at an address; what the system said.
    case listen(Endpoint, String)
    /// A profile with a delivery trace can only be set when a link comes up.
    case traceOnLiveLink(String)
    /// The link has been taken down.
    case closed

    package var description: String {
        switch self {
        case .listen(let endpoint, let reason):
            "Could not listen at \(endpoint): \(reason). Choose an address of this machine and a free port, or port 0."
        case .traceOnLiveLink(let name):
            "Could not set profile '\(name)' on a link that is up: its rate is a delivery trace. Start a new link with it."
        case .closed:
            "Could not reach the link: it has been taken down."
        }
    }
}
