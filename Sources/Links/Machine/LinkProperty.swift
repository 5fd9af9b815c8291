/// The properties of a link that a profile can set, and that backends implement differently.
package enum LinkProperty: String, Sendable, CaseIterable, Encodable {
    case rate
    case delay
    case jitter
    case loss
    case bursts
    case duplicate
    case reorder
    case corrupt
    case queue
    case dnsDelay = "dns-delay"
    case offline
    case stall
    case trace
    case mtu
    /// Traffic other than streams: UDP, QUIC, ICMP.
    case datagrams

    /// Its name for users.
    package var title: String {
        switch self {
        case .loss: "random loss"
        case .bursts: "loss in bursts"
        case .offline: "offline, all four"
        case .datagrams: "UDP, QUIC, ICMP"
        default: rawValue
        }
    }
}
