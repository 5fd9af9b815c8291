import ProxyAPI
import ProxyLink
import Testing

/// Every path with each of its statuses.
@Suite(.timeLimit(.minutes(1)))
struct RouteTests {
    private static let redis = #"{"name": "redis", "listen": "127.0.0.1:0", "upstream": "localhost:6379"}"#
    private static let off = #"{"name": "off", "listen": "127.0.0.1:0", "upstream": "localhost:1", "enabled": false}"#

    /// A request, the status of its answer, and a part of the answer.
    struct Exchange: CustomTestStringConvertible {
        let request: String
        var body = ""
        let status: Int
        var says = ""

        init(_ request: String, _ status: Int, _ says: String = "") {
            (self.request, self.status, self.says) = (request, status, says)
        }

        init(_ request: String, _ body: String, _ status: Int, _ says: String = "") {
            (self.request, self.body, self.status, self.says) = (request, body, status, says)
        }

        var testDescription: String { "\(request) \(body.prefix(60)) \(status)" }
    }

    @Test(arguments: [
        Exchange("GET /version", 200, #"{"version": "2."#),
        Exchange("GET /proxies", 200, #"{"redis":{"name":"redis","listen":"127.0.0.1:"#),
        Exchange("GET /proxies?x=1", 200, #""enabled":true,"toxics":[]}"#),
        Exchange("GET /proxies/redis", 200, #""upstream":"localhost:6379""#),
        Exchange("GET /proxies/%72edis", 200, #""name":"redis""#),
        Exchange("GET /proxies/none", 404, #"{"error":"proxy not found","status":404}"#),
        Exchange("POST /proxies", redis, 409, #"{"error":"proxy already exists","status":409}"#),
        Exchange("POST /proxies", off, 201, #""enabled":false"#),
        Exchange(
            "POST /proxies", #"{"upstream": "a:1"}"#, 400, #"{"error":"missing required field: name","status":400}"#),
        Exchange(
            "POST /proxies", #"{"name": "a"}"#, 400, #"{"error":"missing required field: upstream","status":400}"#),
        Exchange("POST /proxies", #"{"name": "", "upstream": ""}"#, 400, "missing required field: name"),
        Exchange("POST /proxies", #"{"name": 5, "upstream": "a:1"}"#, 400, "bad request body: line 1, column 10"),
        Exchange("POST /proxies", #"{"name": "a", "upstream": "a"}"#, 201, #""upstream":"a""#),
        Exchange("POST /proxies", #"{"name": "a", "upstream": "a:b"}"#, 400, "is not a port"),
        Exchange("POST /proxies", #"{"name": "a", "upstream": "a:65536"}"#, 400, "65535"),
        Exchange("POST /proxies", #"{"name": "a", "upstream": "a:1", "listen": "127.0.0.1:70000"}"#, 500, "65535"),
        Exchange(
            "POST /proxies", #"{"name": "a", "upstream": "a:1", "listen": "192.0.2.77:0"}"#, 500,
            #"{"error":"listen tcp 192.0.2.77:0: bind: cannot assign requested address","status":500}"#),
        Exchange("POST /proxies", #"{"name": "a", "upstream": "a:1", "enabled": "yes"}"#, 400, "true or false"),
        Exchange("POST /proxies", "", 400, "bad request body"),
        Exchange("POST /proxies", "[]", 400, "bad request body"),
        Exchange("POST /proxies", "{", 400, "bad request body"),
        Exchange("POST /proxies", String(repeating: "[", count: 100_000), 400, "levels"),
        Exchange("PUT /proxies", 405, "GET, POST"), Exchange("DELETE /proxies", 405),
        Exchange("PATCH /proxies/redis", #"{"enabled": false}"#, 200, #""enabled":false"#),
        Exchange("POST /proxies/redis", #"{"enabled": false}"#, 200, #""enabled":false"#),
        Exchange("PATCH /proxies/redis", "{}", 200, #""enabled":true"#),
        Exchange(
            "PATCH /proxies/redis", #"{"upstream": "localhost:7000"}"#, 200,
            #""upstream":"localhost:7000","enabled":true"#),
        Exchange("PATCH /proxies/redis", #"{"upstream": "nowhere:x"}"#, 400, "is not HOST:PORT"),
        Exchange("PATCH /proxies/redis", #"{"link": "radio"}"#, 400, "the proxy's link, 'redis', cannot change"),
        Exchange("PATCH /proxies/redis", #"{"link": "redis"}"#, 200),
        Exchange("PATCH /proxies/redis", "{", 400, "bad request body"),
        Exchange("PATCH /proxies/none", "{", 404, "proxy not found"), Exchange("PUT /proxies/redis", "{}", 405),
        Exchange("DELETE /proxies/redis", 204), Exchange("DELETE /proxies/none", 404, "proxy not found"),
        Exchange("GET /proxies/redis/toxics", 200, "[]"), Exchange("GET /proxies/none/toxics", 404, "proxy not found"),
        Exchange("PUT /proxies/redis/toxics", 405), Exchange("POST /proxies/none/toxics", "{}", 404, "proxy not found"),
        Exchange("GET /proxies/redis/toxics/x", 404, #"{"error":"toxic not found","status":404}"#),
        Exchange("GET /proxies/none/toxics/x", 404, "proxy not found"),
        Exchange("PATCH /proxies/redis/toxics/x", "{}", 404, "toxic not found"),
        Exchange("POST /proxies/redis/toxics/x", "{}", 404, "toxic not found"),
        Exchange("DELETE /proxies/redis/toxics/x", 404, "toxic not found"),
        Exchange("PUT /proxies/redis/toxics/x", 405), Exchange("POST /reset", 204), Exchange("GET /reset", 405),
        Exchange("GET /populate", 405), Exchange("POST /version", 405), Exchange("POST /metrics", 405),
        Exchange("POST /populate", "[]", 201, #"{"proxies":[]}"#),
        Exchange("POST /populate", "[\(off)]", 201, #"{"proxies":[{"name":"off""#),
        Exchange("POST /populate", "{}", 400, #""status":400,"proxies":null}"#),
        Exchange("POST /populate", "[\(off), {}]", 400, "missing required field: name at proxy 2"),
        Exchange("POST /populate", "[\(off), \(off)]", 400, "is listed twice"),
        Exchange(
            "GET /metrics", 200, #"toxiproxy_proxy_received_bytes_total{direction="upstream",listener="127.0.0.1:"#),
        Exchange("GET /", 404), Exchange("GET", 404), Exchange("GET /proxies/", 404), Exchange("GET /proxies/a/b", 404),
        Exchange("GET /proxies/redis/toxics/a/b", 404), Exchange("GET //proxies", 404), Exchange("GET /Proxies", 404),
    ])
    func isAnswered(exchange: Exchange) async throws {
        try await APIClient.with { client in
            #expect(try await client.ask("POST /proxies", Self.redis).status == 201)
            let request = exchange.request.contains(" ") ? exchange.request : exchange.request + " "
            let answer = try await client.ask(request, exchange.body)
            #expect(answer.status == exchange.status, "\(answer.text)")
            #expect(exchange.says.isEmpty || answer.text.contains(exchange.says), "\(answer.text)")
            switch exchange.status {
            case 204: #expect(answer.text.isEmpty)
            case 400...: #expect(try answer.value("status") == "\(exchange.status)" && answer.value("error") != nil)
            default: break
            }
            // A refused request changes nothing.
            if exchange.status >= 400 {
                #expect(try await client.ask("GET /proxies").value("redis.enabled") == "true")
                #expect(try await client.named.all.count == 1)
            }
        }
    }

    @Test func aPortInUseIsAServerErrorAndLeavesNothing() async throws {
        try await APIClient.with { client in
            let first = try await client.ask("POST /proxies", Self.redis)
            let listen = try #require(try first.value("listen"))
            let body = #"{"name": "other", "listen": "\#(listen)", "upstream": "localhost:1"}"#
            let second = try await client.ask("POST /proxies", body)
            #expect(second.status == 500)
            #expect(try second.value("error") == "listen tcp \(listen): bind: address already in use", "\(second.text)")
            #expect(try await client.ask("GET /proxies/other").status == 404)
            _ = try await client.ask("DELETE /proxies/redis")
            #expect(try await client.ask("POST /proxies", body).status == 201)
        }
    }

    /// The example of Toxiproxy's README: a proxy that is already as requested stays as it is.
    @Test func populatingTwiceChangesNothing() async throws {
        try await APIClient.with { client in
            let first = try await client.ask("POST /proxies", Self.redis)
            let listen = try #require(try first.value("listen"))
            _ = try await client.ask("POST /proxies/redis/toxics", #"{"type": "latency"}"#)
            let same = #"[{"name": "redis", "listen": "\#(listen)", "upstream": "localhost:6379"}]"#
            let again = try await client.ask("POST /populate", same)
            #expect(try again.status == 201 && again.value("proxies.0.toxics.0.name") == "latency_downstream")
            let name = same.replacing("127.0.0.1", with: "localhost")
            #expect(try await client.ask("POST /populate", name).value("proxies.0.toxics") == "1 elements")
            let other = same.replacing("6379", with: "6380")
            let replaced = try await client.ask("POST /populate", other)
            #expect(try replaced.value("proxies.0.upstream") == "localhost:6380", "\(replaced.text)")
            #expect(
                try replaced.value("proxies.0.toxics") == "0 elements" && replaced.value("proxies.0.listen") == listen)
            let shared = other.replacing(#""listen""#, with: #""link": "radio", "listen""#)
            #expect(try await client.ask("POST /populate", shared).value("proxies.0.link") == "radio")
        }
    }

    @Test func aPopulationEndsAtTheFirstProxyThatCannotListen() async throws {
        try await APIClient.with { client in
            let body = #"""
                [{"name": "a", "upstream": "b:1"}, {"name": "b", "upstream": "b:1", "listen": "192.0.2.77:1"},
                 {"name": "c", "upstream": "b:1"}]
                """#
            let answer = try await client.ask("POST /populate", body)
            #expect(try answer.status == 500 && answer.value("proxies") == "null")
            #expect(try await client.named.all.map(\.name) == ["a"])
        }
    }

    @Test(arguments: [
        #""upstream": "b:1", "listen": "nonsense""#, #""upstream": "b:1", "listen": "127.0.0.1:70000""#,
        #""upstream": "b:c""#,
    ])
    func aPopulationWithABadAddressChangesNothing(bad: String) async throws {
        try await APIClient.with { client in
            #expect(try await client.ask("POST /proxies", Self.redis).status == 201)
            let other = #"{"name": "redis", "upstream": "b:2"}"#
            let answer = try await client.ask("POST /populate", #"[\#(other), {"name": "a", \#(bad)}]"#)
            #expect(try answer.status >= 400 && answer.value("proxies") == "null", "\(answer.text)")
            let all = try await client.named.all
            #expect(all.map(\.name) == ["redis"] && all.allSatisfy { $0.upstream != "b:2" && $0.isEnabled })
        }
    }

    @Test func resetEnablesAllAndRemovesToxics() async throws {
        try await APIClient.with { client in
            _ = try await client.ask("POST /proxies", Self.off)
            _ = try await client.ask("POST /proxies", Self.redis)
            for proxy in ["off", "redis"] {
                #expect(try await client.ask("POST /proxies/\(proxy)/toxics", #"{"type": "timeout"}"#).status == 200)
            }
            #expect(try await client.ask("POST /reset").status == 204)
            let proxies = try await client.named.all
            #expect(proxies.count == 2 && proxies.allSatisfy { $0.isEnabled && $0.toxics.isEmpty })
        }
    }

    @Test func namesMayHoldAnything() async throws {
        try await APIClient.with { client in
            for (name, path) in [("a/b", "a%2Fb"), ("ä ö", "%C3%A4%20%C3%B6"), ("%41", "%2541"), ("..", "..")] {
                let body = #"{"name": "\#(name)", "upstream": "b:1", "enabled": false}"#
                let made = try await client.ask("POST /proxies", body)
                #expect(made.status == 201)
                #expect(try await client.ask("GET /proxies/\(path)").value("name") == name)
                let toxic = #"{"type": "latency", "name": "\#(name)"}"#
                #expect(try await client.ask("POST /proxies/\(path)/toxics", toxic).status == 200)
                #expect(try await client.ask("DELETE /proxies/\(path)/toxics/\(path)").status == 204)
                #expect(try await client.ask("DELETE /proxies/\(path)").status == 204)
            }
            let long = String(repeating: "n", count: 513)
            #expect(try await client.ask("POST /proxies", #"{"name": "\#(long)", "upstream": "b:1"}"#).status == 400)
        }
    }

    @Test func proxiesAndToxicsHaveAMaximum() async throws {
        var limits = NamedProxyLimits()
        (limits.proxies, limits.toxics) = (3, 2)
        try await APIClient.with(limits: limits) { client in
            for turn in 1...5 {
                let body = #"{"name": "p\#(turn)", "upstream": "b:1"}"#
                let made = try await client.ask("POST /proxies", body)
                #expect(made.status == (turn <= 3 ? 201 : 503))
                let toxic = #"{"name": "t\#(turn)", "type": "latency"}"#
                #expect(try await client.ask("POST /proxies/p1/toxics", toxic).status == (turn <= 2 ? 200 : 503))
            }
            #expect(try await client.ask("DELETE /proxies/p1").status == 204)
            #expect(try await client.ask("POST /proxies", #"{"name": "p4", "upstream": "b:1"}"#).status == 201)
        }
    }

    @Test func metricsQuoteNames() async throws {
        try await APIClient.with { client in
            _ = try await client.ask("POST /proxies", #"{"name": "a\"\\\nb", "upstream": "b:1", "enabled": false}"#)
            let answer = try await client.ask("GET /metrics")
            #expect(answer.type.hasPrefix("text/plain; version=0.0.4"))
            #expect(answer.text.contains(#"proxy="a\"\\\nb",upstream="b:1"} 0"#), "\(answer.text)")
        }
    }
}
