import LinkModel
import NIOCore
import Testing

@testable import ProxyLink

struct ProxyRequestTests {
    private func request(_ lines: String...) throws -> ProxyRequest {
        try ProxyRequest(RequestHead(parsing: (lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    }

    @Test(arguments: [
        ("a.example:443", "a.example:443"), ("A.Example:443", "a.example:443"), ("192.0.2.1:1", "192.0.2.1:1"),
        ("[2001:DB8::1]:443", "[2001:db8::1]:443"),
    ])
    func connectNamesItsTarget(text: String, target: String) throws {
        #expect(try request("CONNECT \(text) HTTP/1.1") == .tunnel(Endpoint(parsing: target)))
    }

    @Test(arguments: [
        "CONNECT a.example HTTP/1.1", "CONNECT a.example:http HTTP/1.1", "CONNECT a.example:99999 HTTP/1.1",
        "CONNECT user@a.example:443 HTTP/1.1", "CONNECT :443 HTTP/1.1", "CONNECT [::1:443 HTTP/1.1",
        "CONNECT [a.example]:443 HTTP/1.1", "CONNECT http://a.example:443/ HTTP/1.1", "CONNECT a%2e:443 HTTP/1.1",
        "GET / HTTP/1.1", "GET https://a/ HTTP/1.1", "GET ftp://a/ HTTP/1.1", "GET http:///x HTTP/1.1",
        "GET http://user:secret@a/ HTTP/1.1", "GET http://a/#part HTTP/1.1", "GET http://a:b/ HTTP/1.1",
        "GET * HTTP/1.1",
    ])
    func aRequestWithoutAValidTargetIsRefused(line: String) {
        #expect(throws: Refusal.self) { try request(line) }
    }

    @Test(arguments: [
        ("GET http://a", "GET / HTTP/1.1\r\nHost: a\r\n", "a:80", "/"),
        ("GET http://a?q", "GET /?q HTTP/1.1\r\nHost: a\r\n", "a:80", "/"),
        ("GET HTTP://a:80/x", "GET /x HTTP/1.1\r\nHost: a\r\n", "a:80", "/x"),
        ("GET http://a:8080/x?q=http://b/", "GET /x?q=http://b/ HTTP/1.1\r\nHost: a:8080\r\n", "a:8080", "/x"),
        ("OPTIONS http://a", "OPTIONS * HTTP/1.1\r\nHost: a\r\n", "a:80", "*"),
        ("GET http://[::1]/x", "GET /x HTTP/1.1\r\nHost: [::1]\r\n", "[::1]:80", "/x"),
    ])
    func absoluteFormBecomesOriginForm(line: String, head: String, target: String, path: String) throws {
        let bytes = Array("\(head)Connection: close\r\n\r\n".utf8)
        let asked = try RequestHead(parsing: Array("\(line) HTTP/1.1\r\n\r\n".utf8))
        #expect(
            try ProxyRequest(asked)
                == .forward(Endpoint(parsing: target), path: path, head: bytes, body: RequestBody(of: asked)))
    }

    @Test func aConnectionOptionCannotRemoveTheFraming() throws {
        let request = try request(
            "POST http://a/ HTTP/1.1", "Connection: content-length , X-Hop", "Content-Length: 5", "X-Hop: 1",
            "TE: trailers")
        guard case .forward(_, _, let head, _) = request else { return #expect(Bool(false)) }
        #expect(
            String(decoding: head, as: UTF8.self)
                == "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nConnection: close\r\n\r\n")
    }

    @Test func aRefusalIsAWellFormedAnswer() {
        let failure = UpstreamFailure(
            kind: .refused, target: Endpoint(host: "a", port: 1), reason: "it \"said\" no\r\nX-Injected: 1\\")
        let text = String(buffer: Refusal.upstream(failure).response(in: .http))
        #expect(
            text.hasPrefix(
                """
                HTTP/1.1 502 Bad Gateway\r
                Proxy-Status: headwind; error=connection_refused; \
                details="Could not connect to a:1: it said noX-Injected: 1."\r

                """))
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
        #expect(parts[0].contains("Content-Length: \(parts[1].utf8.count)\r\n"))
    }
}
