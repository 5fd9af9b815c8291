import NIOHTTP1
import PackFormat

/// The scheme, name and port that a request is for, RFC 9110 section 4.3.1.
struct RequestOrigin: Hashable {
    var scheme: String
    /// In lower case; an IPv6 address is in brackets.
    var host: String
    /// nil means the scheme's default port.
    var port: Int?

    /// Reads the Host field; nil if there is none, or if it is not a name with an optional port.
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

    /// The origin that a redirect leads to; nil if the host has no such other name, port or scheme.
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
