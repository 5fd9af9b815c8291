internal import NIOCore

/// The request of a forward proxy's client.
enum ProxyRequest: Hashable, Sendable {
    /// CONNECT (RFC 9110 §9.3.6).
    case tunnel(Endpoint)
    /// CONNECT of SOCKS 5 (RFC 1928 §4).
    case socks(Endpoint)
    /// A request in absolute form (RFC 9112 §3.2.2), ready to be sent to its origin; its body follows.
    case forward(Endpoint, path: String, head: [UInt8], body: RequestBody)

    init(_ head: RequestHead) throws(Refusal) {
        if head.method == "CONNECT" {
            do throws(EndpointError) {
                self = .tunnel(try Endpoint(parsing: head.target))
            } catch {
                throw .malformed("CONNECT needs HOST:PORT: \(error.reason)")
            }
            return
        }
        let (target, origin) = try Self.split(head)
        let path = origin.prefix { $0 != "?" }
        self = .forward(
            target, path: String(path), head: Self.rewritten(head, authority: target, origin: origin),
            body: try RequestBody(of: head))
    }

    var target: Endpoint {
        switch self {
        case .tunnel(let target), .socks(let target), .forward(let target, _, _, _): target
        }
    }

    private static func split(_ head: RequestHead) throws(Refusal) -> (Endpoint, origin: String) {
        let scheme = "http://"
        guard head.target.prefix(scheme.count).lowercased() == scheme else {
            throw .malformed(
                "this is a proxy: it takes CONNECT host:port and http:// addresses, not '\(head.target)'")
        }
        let rest = head.target.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        var origin = String(rest.dropFirst(authority.count))
        guard !origin.contains("#") else { throw .malformed("the address has a fragment") }
        if origin.isEmpty && head.method == "OPTIONS" { origin = "*" }
        if !origin.hasPrefix("/") && origin != "*" { origin = "/" + origin }
        do throws(EndpointError) {
            return (try Endpoint(parsing: String(authority), defaultPort: 80), origin)
        } catch {
            throw .malformed("the address names no host: \(error.reason)")
        }
    }

    /// The head for the origin: in origin form, without fields for this hop alone (RFC 9110 §7.6.1).
    ///
    /// Each connection carries one exchange, so `Connection: close` asks the origin to close after it. No `Via` is
    /// added: a host should behave as it does without Headwind, and some hosts answer proxies in another way.
    private static func rewritten(_ head: RequestHead, authority: Endpoint, origin: String) -> [UInt8] {
        var dropped: Set<String> = [
            "connection", "host", "keep-alive", "proxy-connection", "proxy-authorization", "proxy-authenticate", "te",
            "upgrade",
        ]
        for value in head.values("connection") {
            for option in value.split(separator: ",") {
                dropped.insert(option.lowercased().filter { $0 != " " && $0 != "\t" })
            }
        }
        // These fields frame the body; an option of Connection must not remove them.
        dropped.subtract(["content-length", "transfer-encoding"])
        let host = authority.port == 80 ? String(authority.description.dropLast(3)) : authority.description
        var bytes = Array("\(head.method) \(origin) HTTP/1.\(head.minorVersion)\r\nHost: \(host)\r\n".utf8)
        for field in head.fields where !dropped.contains(field.name.lowercased()) {
            bytes += Array(field.name.utf8) + Array(": ".utf8) + field.value + Array("\r\n".utf8)
        }
        bytes += Array("Connection: close\r\n\r\n".utf8)
        return bytes
    }
}
