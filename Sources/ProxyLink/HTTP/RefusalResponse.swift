internal import LinkModel
internal import NIOCore

extension Refusal {
    /// The status code and the error type of the Proxy-Status field (RFC 9209 §2.3).
    var status: (code: Int, reason: String, error: String) {
        switch self {
        case .modelled(let failure): failure.status
        case .denied: (403, "Forbidden", "http_request_denied")
        case .unauthenticated(ofPage: false): (407, "Proxy Authentication Required", "http_request_denied")
        case .unauthenticated(ofPage: true): (401, "Unauthorized", "http_request_denied")
        case .malformed: (400, "Bad Request", "http_request_error")
        case .unsupported: (501, "Not Implemented", "http_request_error")
        case .tooSlow: (408, "Request Timeout", "http_request_error")
        case .tooMany: (503, "Service Unavailable", "connection_limit_reached")
        case .upstream(let failure):
            failure.kind?.status ?? (code: 502, reason: "Bad Gateway", error: "destination_unavailable")
        }
    }

    /// A sentence for people; the Proxy-Status field has it only if it adds to the error type.
    var details: String {
        switch self {
        case .modelled(.noRoute): "The conditioned link is offline: there is no route."
        case .modelled(.refused): "The conditioned link is offline: the connection was refused."
        case .modelled(.noName): "The conditioned link is offline: the name does not resolve."
        case .modelled(.timedOut): "The conditioned link carried no answer to the connect attempt."
        case .denied(let denial): denial.description
        case .unauthenticated: "This proxy needs the user and the password of its option --auth."
        case .malformed(let reason): "Could not read the request: \(reason)."
        case .unsupported(let request): "Could not serve the request: \(request.rawValue)."
        case .tooSlow: "The request's head did not arrive in time."
        case .tooMany: "This proxy has reached its limit of connections."
        case .upstream(let failure): failure.description
        }
    }

    /// The answer to a client of the forward proxy, after which the connection is closed.
    func response(in dialect: Dialect) -> ByteBuffer {
        switch dialect {
        case .http: response()
        // VN, CD: request rejected or failed; DSTPORT, DSTIP (the SOCKS 4 protocol).
        case .socks4: ByteBuffer(bytes: [0, 91, 0, 0, 0, 0, 0, 0])
        // No acceptable methods (RFC 1928 §3): there is no other answer to a greeting.
        case .socks5(hasGreeted: false):
            switch self {
            case .unsupported(.authentication), .unauthenticated: ByteBuffer(bytes: [SOCKSCollector.version, 0xFF])
            case .modelled, .denied, .malformed, .unsupported, .tooSlow, .tooMany, .upstream: ByteBuffer()
            }
        // VER, STATUS (RFC 1929 §2).
        case .socks5(hasGreeted: true) where self == .unauthenticated(ofPage: false):
            ByteBuffer(bytes: [SOCKSCollector.passwordVersion, 1])
        case .socks5(hasGreeted: true): SOCKSReply(self).message()
        }
    }

    private func response() -> ByteBuffer {
        let (code, reason, error) = status
        let body = "headwind: \(details)\n"
        return ByteBuffer(
            string: """
                HTTP/1.1 \(code) \(reason)\r
                Proxy-Status: headwind; error=\(error)\(parameter)\r
                \(challenge)\
                Content-Type: text/plain; charset=utf-8\r
                Content-Length: \(body.utf8.count)\r
                Connection: close\r
                \r
                \(body)
                """)
    }

    /// The field that asks the client for credentials (RFC 9110 §11), with its line end; empty for other refusals.
    private var challenge: String {
        guard case .unauthenticated(let ofPage) = self else { return "" }
        return (ofPage ? "WWW" : "Proxy") + "-Authenticate: Basic realm=\"headwind\", charset=\"UTF-8\"\r\n"
    }

    /// The `details` of Proxy-Status, which distinguish a real failure from a modelled one of the same error type.
    private var parameter: String {
        switch self {
        case .upstream, .malformed, .unsupported, .denied(.control), .denied(.thisMachine),
            .denied(.stranger):
            // An sf-string holds printable ASCII (RFC 8941 §3.3.3).
            "; details=\""
                + String(
                    details.unicodeScalars.filter { (0x20...0x7E).contains($0.value) && $0 != "\"" && $0 != "\\" }.map(
                        Character.init)) + "\""
        case .modelled, .denied(.noRoute), .unauthenticated, .tooSlow, .tooMany: ""
        }
    }
}

extension ConnectFailure {
    fileprivate var status: (code: Int, reason: String, error: String) {
        switch self {
        case .noRoute: (502, "Bad Gateway", "destination_ip_unroutable")
        case .refused: (502, "Bad Gateway", "connection_refused")
        case .noName: (502, "Bad Gateway", "dns_error")
        case .timedOut: (504, "Gateway Timeout", "connection_timeout")
        }
    }
}
