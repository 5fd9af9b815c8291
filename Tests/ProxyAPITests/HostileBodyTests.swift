import Documents
import LinkModel
import ProxyAPI
import Testing

@testable import ProxyLink

/// Requests that are damaged at random: each is answered, in JSON, and the proxies stay in order.
@Suite(.timeLimit(.minutes(1)))
struct HostileBodyTests {
    private static let bodies = [
        #"{"name": "a", "listen": "127.0.0.1:0", "upstream": "localhost:6379", "enabled": false, "link": "radio"}"#,
        #"[{"name": "a", "upstream": "b:1", "enabled": false}, {"name": "b", "upstream": "[::1]:1", "enabled": null}]"#,
        #"{"type": "latency", "stream": "upstream", "toxicity": 0.5, "attributes": {"latency": 100, "jitter": 1e3}}"#,
        #"{"type": "profile", "attributes": {"profile": {"profile": "own", "source": "x", "downlink": {"rate": "1 Mbit/s"}}}}"#,
        #"{"profile": "3g", "seed": "18446744073709551615"}"#,
        #"{"conditions": {"uplink": {"loss": "1 %"}}, "offline": null}"#,
        #"{"upstream": "b:1", "enabled": false, "toxics": [{"type": "slicer", "attributes": {"average_size": 1}}]}"#,
    ]
    private static let paths = [
        "/proxies", "/proxies/a", "/proxies/a/toxics", "/proxies/a/toxics/latency_upstream", "/populate", "/reset",
        "/v2/links/radio", "/v2/proxies", "/v2/proxies/a", "/proxies/%00", "/v2/links/%ff%fe", "/metrics",
    ]

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func everyRequestIsAnswered(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await APIClient.with { client in
            for _ in 0..<100 {
                var body = Array(Self.bodies.randomElement(using: &random)?.utf8 ?? "".utf8)
                for _ in 0..<Int.random(in: 0...4, using: &random) where !body.isEmpty {
                    let place = Int.random(in: 0..<body.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: body[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: body.remove(at: place)
                    case 2: body.insert(contentsOf: body[place...].prefix(9), at: place)
                    default: body.removeSubrange(place...)
                    }
                }
                let method = ["GET", "POST", "PUT", "PATCH", "DELETE"].randomElement(using: &random) ?? ""
                let path = Self.paths.randomElement(using: &random) ?? ""
                let request = APIRequest(
                    method: method, target: path, fields: ["host": ["127.0.0.1"]], body: body, client: "127.0.0.1")
                let answer = await path.hasPrefix("/v2/") ? client.control.answer(request) : client.api.answer(request)
                #expect(
                    [200, 201, 204, 400, 404, 405, 409, 500].contains(answer.status),
                    "\(method) \(path): \(answer.text)")
                if answer.contentType == "application/json" { _ = try JSONReader.read(answer.text) }
            }
            // All proxies that were made can be read and removed.
            for proxy in try await client.named.all {
                let told = try await client.ask("GET /v2/proxies").text
                _ = try JSONReader.read(told)
                try await client.named.remove(proxy.name)
            }
            let left = try await client.named.all
            #expect(left.isEmpty)
        }
    }
}
