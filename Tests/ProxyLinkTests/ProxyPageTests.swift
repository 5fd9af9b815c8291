import LinkModel
import Testing

@testable import ProxyLink

/// Requests for the proxy itself.
@Suite(.timeLimit(.minutes(1)))
struct ProxyPageTests {
    /// The answer of a proxy whose pages repeat the request.
    private func answer(_ said: String, auth: String? = nil) async throws -> String {
        let access = ClientAccess(credentials: try auth.map { try ProxyCredentials(parsing: $0) })
        // Behind a link that carries nothing: the pages still work.
        let profile = Profile(name: "off", conditions: .offline(.noRoute))
        let configuration = ProxyLinkConfiguration(
            profile: profile, routes: RouteTable(policy: .direct), access: access)
        return try await withProxyLink(configuration) { link in
            try await link.serve(
                ProxyPage(openPaths: ["/open"]) { request in
                    var response = APIResponse(status: 200, contentType: "text/plain", body: [])
                    response.fields = [("X-Field", "there")]
                    let host = request.fields["host"] ?? []
                    let isLocal = request.client == "127.0.0.1" && request.local?.host == "127.0.0.1"
                    response.body = Array("page \(request.method) \(request.target) of \(host) \(isLocal)".utf8)
                    return response
                })
            let port = try #require(link.forwardAddress?.port)
            let client = try await link.connectToProxy()
            try await client.send(said.replacing("PORT", with: "\(port)"))
            return await client.receiveAllText().replacing("\(port)", with: "PORT")
        }
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", "page GET / of [\"127.0.0.1:PORT\"] true"),
        ("GET /a?b HTTP/1.0\r\n\r\n", "page GET /a?b of [] true"),
        ("POST /a HTTP/1.1\r\nHost: evil.test\r\nContent-Length: 3\r\n\r\nabc", "page POST /a of [\"evil.test\"] true"),
        ("GET http://proxy/ HTTP/1.1\r\nHost: evil.test\r\n\r\n", "page GET / of [\"proxy:80\"] true"),
        ("GET http://127.0.0.1:PORT/a HTTP/1.1\r\nHost: proxy\r\n\r\n", "page GET /a of [\"127.0.0.1:PORT\"] true"),
        ("GET http://localhost:PORT HTTP/1.1\r\n\r\n", "page GET / of [\"localhost:PORT\"] true"),
    ])
    func aRequestForTheProxyItselfGetsAPage(said: String, body: String) async throws {
        let answer = try await answer(said)
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"), "\(answer)")
        #expect(answer.contains("\r\nX-Field: there\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n" + body), "\(answer)")
    }

    @Test(arguments: [
        "GET http://proxy:8080/ HTTP/1.1\r\n\r\n", "GET http://proxy.test/ HTTP/1.1\r\nHost: proxy\r\n\r\n",
        "GET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n", "CONNECT proxy:80 HTTP/1.1\r\n\r\n",
        "GET * HTTP/1.1\r\nHost: proxy\r\n\r\n",
    ])
    func otherRequestsGetNoPage(said: String) async throws {
        let answer = try await answer(said)
        #expect(answer.contains("Proxy-Status: headwind; error="), "\(answer)")
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nHost: a\r\n", 401), ("GET /open HTTP/1.1\r\n", 200), ("GET /open?a HTTP/1.1\r\n", 200),
        ("GET /opener HTTP/1.1\r\n", 401), ("GET / HTTP/1.1\r\nAuthorization: Basic YTpi\r\n", 200),
        ("GET / HTTP/1.1\r\nProxy-Authorization: Basic YTpi\r\n", 401), ("GET http://proxy/ HTTP/1.1\r\n", 407),
        ("GET http://proxy/ HTTP/1.1\r\nAuthorization: Basic YTpi\r\n", 407),
        ("GET http://proxy/ HTTP/1.1\r\nProxy-Authorization: Basic YTpi\r\n", 200),
    ])
    func aPageAsksForThePassword(head: String, status: Int) async throws {
        let answer = try await answer(head + "\r\n", auth: "a:b")
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        #expect(answer.contains("\r\nWWW-Authenticate: Basic ") == (status == 401))
        #expect(answer.contains("\r\nProxy-Authenticate: Basic ") == (status == 407))
    }

    /// Events go to their reader until the proxy closes; a reader that leaves is removed.
    @Test func eventsFollow() async throws {
        let (events, feed) = AsyncStream.makeStream(of: [UInt8].self)
        try await withProxyLink(ProxyLinkConfiguration(profile: .open)) { link in
            try await link.serve(
                ProxyPage { _ in
                    APIResponse(status: 200, contentType: "text/event-stream", body: [], events: events)
                })
            let client = try await link.connectToProxy()
            try await client.send("GET /state HTTP/1.1\r\n\r\n")
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
            #expect(await client.receiveText(head.utf8.count) == head)
            for number in 1...3 {
                feed.yield(Array("data: \(number)\n\n".utf8))
                #expect(await client.receiveText(9) == "data: \(number)\n\n")
            }
            #expect(try await link.counters().open.count == 1)
            try await client.reset()
            while try await !link.counters().open.isEmpty { await Task.yield() }
        }
    }
}
