import SystemPackage

/// How one transfer ended, in facts only; `DownloadFailure` and `DownloadPolicy` interpret them.
struct TransferResult: Sendable {
    /// What ended the transfer.
    enum Ending: Hashable, Sendable {
        /// The response is complete, as far as libcurl can tell.
        case complete
        /// The receiver asked to stop.
        case stopped
        /// The caller's task was cancelled.
        case cancelled
        /// The transfer gave up its connection to a more urgent one.
        case yielded
        /// There was no sign of life for the whole patience.
        case silent
        /// libcurl gave up.
        case failed(CurlCode)
    }

    /// What ended the transfer.
    var ending: Ending
    /// libcurl's own message; empty if there is none.
    var detail = ""
    /// The status of the host's answer; 0 if none came.
    var status = 0
    /// The status of the proxy's answer to CONNECT; 0 if none came.
    var tunnelStatus = 0
    /// Why the proxy refused; nil if it did not say.
    var proxyRefusal: ProxyRefusal?
    /// The system's error of a failed connect; 0 if there is none.
    var systemError = Errno(rawValue: 0)
    /// Whether the machine had a network when a name could not be looked up.
    var hasNetwork = true
    /// Whether a lookup failed because no server answered any of the resolver's tries.
    var isLookupSilent = false
    /// The numeric address of a host, or of its proxy, that fell silent after the head of its answer.
    var silentAddress: String?
    /// The verdict on the host's certificate: an `X509_V_ERR_` number of verify(1); 0 is good.
    var certificateVerdict = 0
    /// The certificates that a request for a handshake alone received, each as `Name:value` fields.
    var certificates: [[String]] = []
    /// The wait that Retry-After asked for, in seconds or as a date.
    var retryAfter: Duration?
    /// The absolute URL that a redirect points to.
    var redirect: String?
}

/// Why a proxy could not reach the host: the error types of RFC 9209 §2.3 that a client can act on.
package enum ProxyRefusal: String, CaseIterable, Hashable, Sendable {
    case noRoute = "destination_ip_unroutable"
    case nameNotFound = "dns_error"
    case nameTimedOut = "dns_timeout"
    case connectTimedOut = "connection_timeout"
    case refused = "connection_refused"
    case terminated = "connection_terminated"

    /// Reads a Proxy-Status field (`headwind; error=dns_error`); nil if it names none of these types.
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
