import Documents
import Foundation
import LinkModel
import ProxyAPI
import Testing

@testable import ProxyLink

/// Version 2 of the control API: every path, and that an answer can be sent back as a request.
@Suite(.timeLimit(.minutes(1)))
struct ControlAPITests {
    private static let redis =
        #"{"name": "redis", "upstream": "localhost:6379", "toxics": [{"type": "timeout"}]}"#

    private static let schedule = #"{"schedule": "L2 conn=1 up syn drop"}"#

    struct Exchange: CustomTestStringConvertible {
        let request: String
        var body = ""
        let status: Int
        var says = ""

        init(_ request: String, _ body: String, _ status: Int, _ says: String = "") {
            (self.request, self.body, self.status, self.says) = (request, body, status, says)
        }

        var testDescription: String { "\(request) \(body.prefix(60)) \(status)" }
    }

    @Test(arguments: [
        Exchange("GET /v2/links", "", 200, #"{"main":{"name":"main""#),
        Exchange("POST /v2/links", "", 405, "takes GET"),
        Exchange("GET /v2/links/redis", "", 200, #""proxies":["redis"]"#),
        Exchange("GET /v2/links/none", "", 404, "link not found"),
        Exchange("PUT /v2/links/radio", #"{"profile": "3g"}"#, 201, #""profile":"3g""#),
        Exchange("PUT /v2/links/redis", #"{"profile": "3g"}"#, 200, #""profile":"3g""#),
        Exchange("PUT /v2/links/main", #"{"offline": "silent"}"#, 200, #""offline":"silent","status""#),
        Exchange(
            "PUT /v2/links/main", #"{"profile": "3g", "offline": "refused"}"#, 200,
            #""profile":"3g","offline":"refused""#),
        Exchange("PUT /v2/links/radio", "{}", 201, #""profile":"unshaped""#),
        Exchange("PUT /v2/links/radio", #"{"seed": "18446744073709551615"}"#, 201, #""seed":"18446744073709551615""#),
        Exchange("PUT /v2/links/radio", #"{"seed": 5}"#, 201, #""seed":"5""#),
        Exchange("PUT /v2/links/radio", #"{"seed": -5}"#, 400, "a whole number from 0"),
        Exchange("PUT /v2/links/redis", #"{"seed": 5}"#, 400, "cannot change: remove the link"),
        Exchange("PUT /v2/links/radio", #"{"profile": "4g"}"#, 400, "there is no profile '4g'"),
        Exchange("PUT /v2/links/radio", #"{"profile": "./a.yaml"}"#, 400, "never a file"),
        Exchange("PUT /v2/links/radio", #"{"profile": "3g", "offline": null}"#, 201, #""profile":"3g","status""#),
        Exchange("PUT /v2/links/radio", #"{"profile": "3g", "conditions": {}}"#, 400, "profile or conditions"),
        Exchange("PUT /v2/links/radio", #"{"profil": "3g"}"#, 400, "there is no key \\\"profil\\\" here"),
        Exchange("PUT /v2/links/radio", #"{"Profile": "3g"}"#, 400, "there is no key"),
        Exchange("PUT /v2/links/radio", #"{"name": "other"}"#, 400, "the name is 'other' in the body"),
        Exchange("PUT /v2/links/radio", schedule, 201, #""schedule":"schedule version="#),
        Exchange("PUT /v2/links/redis", schedule, 400, "cannot change: remove the link"),
        Exchange("PUT /v2/links/radio", #"{"schedule": "L3 x"}"#, 400, "the schedule is wrong: 1:1"),
        Exchange("PUT /v2/links/radio", #"{"schedule": "L1 GET /a from=0 try=1 cut@5"}"#, 400, "layers other than L2"),
        Exchange("PUT /v2/links/radio", #"{"offline": "maybe"}"#, 400, "offline"),
        Exchange("PUT /v2/links/radio", #"{"conditions": {"downlink": {"rate": "80"}}}"#, 400, "no unit"),
        Exchange("PUT /v2/links/radio", "{", 400, "line 1"), Exchange("PUT /v2/links/radio", "[]", 400, "an object"),
        Exchange("DELETE /v2/links/redis", "", 409, "the proxy 'redis'"),
        Exchange("DELETE /v2/links/main", "", 409, "own listeners"),
        Exchange("DELETE /v2/links/none", "", 404, "link not found"),
        Exchange("GET /v2/proxies", "", 200, #"{"redis":{"name":"redis""#),
        Exchange("POST /v2/proxies", redis, 409, "proxy already exists"),
        Exchange("POST /v2/proxies", #"{"name": "a", "upstream": "b:1", "link": "main"}"#, 201, #""link":"main""#),
        Exchange("POST /v2/proxies", #"{"name": "main", "upstream": "b:1"}"#, 201, #""link":"proxy main""#),
        Exchange("POST /v2/proxies", #"{"upstream": "b:1"}"#, 400, "missing required field: name"),
        Exchange("POST /v2/proxies", #"{"name": "a"}"#, 400, "missing required field: upstream"),
        Exchange("POST /v2/proxies", #"{"name": "a", "upstream": "b:1", "toxics": {}}"#, 400, "a list of toxics"),
        Exchange(
            "POST /v2/proxies", #"{"name": "a", "upstream": "b:1", "toxics": [{"type": "x"}]}"#, 400,
            "invalid toxic type"),
        Exchange(
            "POST /v2/proxies",
            #"{"name": "a", "upstream": "b:1", "toxics": [{"type": "timeout"}, {"type": "timeout"}]}"#, 409,
            "toxic already exists"),
        Exchange(
            "POST /v2/proxies",
            #"""
            {"name": "a", "upstream": "b:1", "listen": "192.0.2.9:1", "link": "redis",
             "toxics": [{"type": "profile", "attributes": {"profile": "3g"}}]}
            """#, 500, "Could not listen"),
        Exchange("GET /v2/proxies/redis", "", 200, #""upstream":"localhost:6379""#),
        Exchange("GET /v2/proxies/none", "", 404, "proxy not found"),
        Exchange("PUT /v2/proxies/redis", #"{"upstream": "localhost:1", "enabled": false}"#, 200, #""enabled":false"#),
        Exchange("PUT /v2/proxies/a", #"{"upstream": "localhost:1"}"#, 201, #""name":"a""#),
        Exchange("PUT /v2/proxies/a", #"{"upstream": "b:1", "enable": false}"#, 400, "there is no key"),
        Exchange(
            "PUT /v2/proxies/a", #"{"upstream": "b:1", "toxics": [{"type": "latency", "latency": 5}]}"#, 400,
            "there is no key"),
        Exchange(
            "PUT /v2/proxies/a",
            #"{"upstream": "b:1", "toxics": [{"type": "latency", "attributes": {"latncy": 5}}]}"#, 400,
            "only latency, jitter"),
        Exchange("PUT /v2/proxies/a", redis, 400, "the name is 'redis' in the body, and 'a' in the path"),
        Exchange("PUT /v2/proxies/redis", #"{"upstream": "localhost"}"#, 400, "as HOST:PORT: it has no port"),
        Exchange(
            "PUT /v2/proxies/redis", #"{"upstream": "localhost:1", "listen": "localhost"}"#, 500, "Could not listen"),
        Exchange(
            "PUT /v2/proxies/redis", #"{"upstream": "localhost:1", "link": "other"}"#, 400,
            "cannot change: remove the proxy"),
        Exchange(
            "PUT /v2/proxies/a",
            #"{"upstream": "localhost:1", "toxics": [{"type": "profile", "attributes": {"profile": "4g"}}]}"#, 400,
            "no profile '4g'"),
        Exchange("PATCH /v2/proxies/redis", "{}", 405, "GET, PUT, DELETE"),
        Exchange("DELETE /v2/proxies/redis", "", 204),
        Exchange("DELETE /v2/proxies/none", "", 404, "proxy not found"),
        Exchange("GET /v2/connections", "", 200, "[]"), Exchange("DELETE /v2/connections", "", 405),
        Exchange("GET /v2/openapi.json", "", 200, #"{"openapi":"3.1.0""#), Exchange("GET /v2/", "", 404),
        Exchange("GET /v2/links/", "", 404),
        Exchange("GET /v2/links/a/b", "", 404), Exchange("GET /v2/none", "", 404),
    ])
    func isAnswered(exchange: Exchange) async throws {
        try await APIClient.with { client in
            _ = try await client.ask("POST /v2/proxies", Self.redis)
            let before = try await client.state
            let answer = try await client.ask(exchange.request, exchange.body)
            #expect(answer.status == exchange.status, "\(answer.text)")
            #expect(exchange.says.isEmpty || answer.text.contains(exchange.says), "\(answer.text)")
            #expect((answer.allow == nil) == (exchange.status != 405))
            guard exchange.status >= 400 else { return }
            #expect(try answer.value("status") == "\(exchange.status)")
            // A refused request changes nothing.
            #expect(try await client.state == before)
        }
    }

    @Test(arguments: [
        #"{"profile": "bursty"}"#, #"{"profile": {"profile": "own", "source": "a test", "extends": "3g"}}"#,
        #"{"conditions": {"downlink": {"rate": "1 Mbit/s", "loss": "1 %"}, "dns-delay": "50 ms", "offline": "no-name"}}"#,
        #"{"conditions": {}}"#, #"{"profile": "3g-train", "offline": "silent"}"#,
        #"{"profile": "3g", "schedule": "L2 conn=1 up syn drop"}"#,
    ])
    func anAnswerAboutALinkCanBeSentBack(body: String) async throws {
        try await APIClient.with { client in
            let first = try await client.ask("PUT /v2/links/radio", body)
            #expect(first.status == 201, "\(first.text)")
            let said = try await client.ask("GET /v2/links/radio")
            let again = try await client.ask("PUT /v2/links/radio", said.text)
            #expect(again.status == 200, "\(again.text)")
            let links = try await client.named.links
            #expect(links.count == 2 && links[1].counters.generation == 2)
            for key in ["profile", "conditions", "offline", "schedule", "seed"] {
                #expect(try again.value(key) == said.value(key))
            }
        }
    }

    @Test func anAnswerAboutAProxyCanBeSentBack() async throws {
        try await APIClient.with { client in
            let body = #"""
                {"upstream": "localhost:6379", "link": "radio", "toxics": [
                  {"type": "latency", "stream": "upstream", "attributes": {"latency": 5}},
                  {"type": "bandwidth", "name": "slow", "toxicity": 0.5, "attributes": {"rate": 10}},
                  {"type": "profile", "attributes": {"profile": "3g"}}]}
                """#
            let made = try await client.ask("PUT /v2/proxies/redis", body)
            #expect(try made.status == 201 && made.value("toxics") == "3 elements", "\(made.text)")
            #expect(try await client.named.link("radio").profile?.name == "3g")
            let said = try await client.ask("GET /v2/proxies/redis")
            let again = try await client.ask("PUT /v2/proxies/redis", said.text)
            #expect(again.status == 200 && again.text == said.text, "\(again.text)")
            _ = try await client.ask("PATCH /proxies/redis", #"{"enabled": false}"#)
            let other = try await client.ask(
                "PUT /v2/proxies/redis", #"{"upstream": "localhost:6379", "toxics": [{"type": "slicer"}]}"#)
            #expect(try other.value("enabled") == "false", "what a body does not say stays")
            #expect(try other.value("toxics.0.type") == "slicer" && other.value("toxics.1") == nil)
            #expect(try await client.named.link("radio").profile?.name == "unshaped")
        }
    }

    @Test func anExplicitLinkStaysWithoutProxies() async throws {
        try await APIClient.with { client in
            for (link, stays) in [("radio", true), ("other", false)] {
                if stays { _ = try await client.ask("PUT /v2/links/\(link)", #"{"profile": "3g"}"#) }
                _ = try await client.ask("PUT /v2/proxies/a", #"{"upstream": "b:1", "link": "\#(link)"}"#)
                _ = try await client.ask("DELETE /v2/proxies/a")
                let answer = try await client.ask("GET /v2/links/\(link)")
                #expect(answer.status == (stays ? 200 : 404))
            }
            #expect(try await client.ask("DELETE /v2/links/radio").status == 204)
        }
    }

    /// A profile goes on while its link is offline; null goes online, whatever has made the link offline.
    @Test(arguments: [
        ([#""profile": "flaky-lte""#, #""offline": "silent""#], true), ([#""profile": "flaky-lte""#], true),
        ([#""profile": "offline""#], false), ([#""profile": "offline""#, #""offline": "refused""#], false),
        ([#""conditions": {"offline": "silent"}"#, #""offline": "refused""#], false),
        ([#""profile": "flaky-lte", "offline": "refused""#], true),
    ])
    func offlineLeavesTheProfile(changes: [String], staysProfile: Bool) async throws {
        try await APIClient.with { client in
            func since() async throws -> Instant? {
                try await client.named.run { $0.links["radio"]?.engine.model.source.followed?.since }
            }
            _ = try await client.ask("PUT /v2/links/radio", "{\(changes[0])}")
            let before = try await since()
            for change in changes.dropFirst() {
                let offline = try await client.ask("PUT /v2/links/radio", "{\(change)}")
                #expect(try offline.value("status.conditions.offline") != nil)
                #expect(try await since() == before)
            }
            let online = try await client.ask("PUT /v2/links/radio", #"{"offline": null}"#)
            #expect(try online.value("status.conditions.offline") == nil && online.value("offline") == nil)
            #expect(try await since() == (staysProfile ? before : nil))
        }
    }

    /// Toxics on two links with one seed decide the same; the names of the links do not matter.
    @Test func toxicsHaveTheSeedOfTheirLink() async throws {
        try await APIClient.with { client in
            for link in ["a", "b"] {
                _ = try await client.ask("PUT /v2/links/\(link)", #"{"seed": 7}"#)
                _ = try await client.ask("PUT /v2/proxies/p", #"{"upstream": "b:1", "link": "\#(link)"}"#)
                let seed = try await client.named.run { try $0.entry("p").door.seed }
                #expect(seed == 7)
                _ = try await client.ask("DELETE /v2/proxies/p")
            }
        }
    }

    @Test func eventsFollow() async throws {
        try await APIClient.with { client in
            let response = await client.control.answer(APIRequest(method: "GET", target: "/v2/events"))
            #expect(response.status == 200 && response.contentType == "text/event-stream")
            let events = try #require(response.events)
            _ = try await client.ask("PUT /v2/links/main", #"{"offline": "silent"}"#)
            var iterator = events.makeAsyncIterator()
            let line = String(decoding: try #require(await iterator.next()), as: UTF8.self)
            let parts = try #require(line.wholeMatch(of: /id: (\d+)\ndata: (\{"t":.*\})\n\n/)).output
            #expect(parts.2.contains("silent") && !parts.2.contains("\"link\""), "\(line)")
            // A named link says its name, and each event has the next number.
            _ = try await client.ask("PUT /v2/links/radio", #"{"profile": "3g"}"#)
            _ = try await client.ask("PUT /v2/links/radio", #"{"offline": "refused"}"#)
            var (next, number) = ("", try #require(Int(parts.1)))
            while !next.contains("refused") {
                next = String(decoding: try #require(await iterator.next()), as: UTF8.self)
                number += 1
                #expect(next.hasPrefix("id: \(number)\n"), "\(next)")
                #expect(next.contains(#""link":"radio""#) && next.contains("conditions"), "\(next)")
            }
        }
    }

    /// Every path is described, and every schema that is named exists.
    @Test func theDescriptionIsComplete() throws {
        let text = ControlAPI.openAPI.json
        let node = try JSONReader.read(text)
        let schemas = try node.required("components").required("schemas").members().map(\.key)
        for match in text.matches(of: /#\/components\/schemas\/(\w+)/) {
            #expect(schemas.contains(String(match.output.1)))
        }
        #expect(try node.required("paths").members().map(\.key).count == 7)
    }

    @Test func theDescriptionIsThatOfTheDocumentation() throws {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/schema/control.openapi.json")
            .standardizedFileURL
        let text = ControlAPI.openAPI.json + "\n"
        if ProcessInfo.processInfo.environment["HEADWIND_RECORD"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "HEADWIND_RECORD=1 writes it anew")
    }
}

extension APIClient {
    /// The state of all links and all proxies.
    fileprivate var state: [String] {
        get async throws { [try await ask("GET /v2/links").text, try await ask("GET /v2/proxies").text] }
    }
}
