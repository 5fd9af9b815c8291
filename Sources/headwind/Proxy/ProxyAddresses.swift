import FoundationEssentials
import Glibc
import ProxyLink

/// The addresses of a running `headwind proxy`.
struct ProxyAddresses: Encodable {
    struct Reverse: Encodable {
        let listen: String
        let target: String
    }

    var version = 1
    var processID = getpid()
    let forward: String?
    /// The URLs of the proxy's page, one for each address at which other machines reach it.
    let pages: [String]
    let reverse: [Reverse]
    let control: String?
    /// The generated token for the control API; absent if there is none, or if the user gave it.
    let controlToken: String?
    /// The address of Toxiproxy's API; absent if it is not served.
    let toxiproxy: String?

    init(
        _ link: ProxyLink, reverse listeners: [ProxyLinkConfiguration.ReverseListener], token: String?,
        toxiproxy: Endpoint?
    ) {
        self.toxiproxy = toxiproxy.map { "http://\($0)" }
        forward = link.forwardAddress.map { "http://\($0)" }
        pages = link.forwardAddress?.reachable.map { "http://\($0)/" } ?? []
        reverse = zip(link.reverseAddresses, listeners).map { address, listener in
            Reverse(listen: address.description, target: listener.target.description)
        }
        control = link.controlAddress.map { "http://\($0)/v1/link" }
        controlToken = token
    }

    var lines: [String] {
        var lines = forward.map { ["forward \($0)"] } ?? []
        lines += pages.map { "page \($0)" }
        lines += reverse.map { "reverse \($0.listen) \($0.target)" }
        if let control { lines.append("control \(control)") }
        if let toxiproxy { lines.append("toxiproxy \(toxiproxy)") }
        if let controlToken { lines.append("control-token \(controlToken)") }
        return lines
    }
}
