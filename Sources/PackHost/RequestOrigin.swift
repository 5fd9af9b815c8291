import NIOHTTP1
import PackFormat

/// Scheme, name and port that a request is for, RFC 9110 section 4.3.1.
struct RequestOrigin: Hashable {
    var scheme: String
    /// In lower case; a numeric address of IPv6 is in brackets.
    var host: String
    /// nil: the scheme's own.
    var port: Int?

    /// As the Host field has it; nil where there is none, or where it is no name with a port.
    init?(_ headers: HTTPHeaders, isSecured: Bool) {
        guard let field = headers.single("Host"), !field.isEmpty, !field.contains(where: { "/@?# ".contains($0) })
        else { return nil }
        scheme = isSecured ? "https" : "http"
        let start = field.firstIndex(of: "]") ?? field.startIndex
        let colon = field[start...].lastIndex(of: ":")
        host = field[..<(colon ?? field.endIndex)].lowercased()
        port = colon.flatMap { Int(field[field.index(after: $0)...]) }
        if colon != nil, port == nil { return nil }
    }

    var text: String { "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "") }

    /// The one that a redirect leads to; nil where the host has no other name or port than this.
    func led(to origin: HostFault.Origin, otherNames: [String: String], otherPorts: [Int: Int]) -> RequestOrigin? {
        var led = self
        switch origin {
        case .otherHost:
            guard let name = otherNames[host] else { return nil }
            led.host = name
        case .otherPort:
            let usual = scheme == "https" ? 443 : 80
            guard let other = otherPorts[port ?? usual] else { return nil }
            led.port = other == usual ? nil : other
        case .plainHTTP:
            guard scheme == "https" else { return nil }
            (led.scheme, led.port) = ("http", port ?? 443)
        }
        return led
    }
}
