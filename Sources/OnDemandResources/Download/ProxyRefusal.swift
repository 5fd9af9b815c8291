/// Why a proxy says that it could not reach the host: the error types of RFC 9209 §2.3 that a client can act on.
package enum ProxyRefusal: String, CaseIterable, Hashable, Sendable {
    case noRoute = "destination_ip_unroutable"
    case nameNotFound = "dns_error"
    case nameTimedOut = "dns_timeout"
    case connectTimedOut = "connection_timeout"
    case refused = "connection_refused"
    case terminated = "connection_terminated"

    /// Reads a Proxy-Status field (`headwind; error=dns_error`); nil where it names none of these types.
    ///
    /// Each proxy on the way adds a member, the nearest to the host first: the first known type counts.
    package init?(field: String) {
        for member in field.split(separator: ",") {
            for parameter in member.split(separator: ";").dropFirst() {
                let parts = parameter.split(separator: "=", maxSplits: 1).map(\.trimmingASCIISpace)
                guard parts.count == 2, parts[0].lowercased() == "error", let known = Self(rawValue: parts[1]) else {
                    continue
                }
                self = known
                return
            }
        }
        return nil
    }
}
