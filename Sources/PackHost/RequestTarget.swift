import NIOHTTP1
import PackFormat
import Wording

/// The path that a request asks for, RFC 9112 §3.2.
struct RequestTarget: Hashable, Sendable {
    /// The path as the client wrote it, without its query: a query may hold a secret, and selects nothing here.
    let path: String
    /// The path with its percent escapes decoded once, as bytes.
    let decoded: [UInt8]

    /// Reads a request target in origin form or absolute form; nil if it is neither, or if an escape is malformed.
    init?(_ target: String) {
        var rest = Substring(target)
        if let scheme = rest.firstRange(of: "://"), !rest.hasPrefix("/") {
            guard ["http", "https"].contains(rest[..<scheme.lowerBound].lowercased()) else { return nil }
            rest = rest[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        } else if !rest.hasPrefix("/") {
            return nil
        }
        let path = rest.prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
        guard let decoded = Self.decoded(self.path) else { return nil }
        self.decoded = decoded
    }

    /// Decodes percent escapes once, RFC 3986 §2.1; nil if one is malformed.
    static func decoded(_ path: String) -> [UInt8]? {
        PercentEncoding.isSound(path) ? PercentEncoding.bytes(of: path) : nil
    }
}

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
