import Foundation
import LinkModel
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Scenarios
import SystemPackage
import Testing

@testable import ProxyLink

@Suite(.timeLimit(.minutes(1)))
struct ControlTests {
    private struct Unknown: Error, CustomStringConvertible { let description = "there is no such profile" }

    /// The product's reader of requests, with the bundled profiles.
    private static let reader = LinkRequestReader(
        library: ProfileLibrary(folder: FilePath(#filePath).pushing("../../../profiles").lexicallyNormalized()),
        started: Profile(name: "slow", conditions: .link(delay: .seconds(1))))

    private func withControl(
        patience: Duration = .seconds(30), _ body: (ProxyLink, Endpoint) async throws -> Void
    ) async throws {
        var configuration = ProxyLinkConfiguration(profile: .link(rate: 1_000_000, delay: .milliseconds(1)))
        configuration.control = ControlConfiguration(listen: .anyLoopbackPort, patience: patience) {
            try Self.reader.read($0)
        }
        try await withProxyLink(configuration) { link in try await body(link, #require(link.controlAddress)) }
    }

    private func ask(_ address: Endpoint, _ method: String, _ body: String = "", host: String? = nil) async throws
        -> String
    {
        let peer = try await Peer.connect(to: address)
        try await peer.send(
            """
            \(method) /v1/link HTTP/1.1\r
            Host: \(host ?? address.description)\r
            Connection: close\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """)
        return await peer.receiveAllText()
    }

    @Test func aProfileOfAToxicIsNotReplaced() async throws {
        try await withControl { link, address in
            let slow = Profile.link(delay: .seconds(2))
            let toxic = Toxic(.profile(slow, isNamed: false))
            _ = try await link.named.add(
                NamedProxyRequest(name: "p", listen: "", upstream: "x:1", link: "main", toxics: [toxic]))
            let answer = try await ask(address, "PUT", #"{"offline": "silent"}"#)
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("a toxic of the proxy 'p'"), "\(answer)")
            #expect(try await link.conditions == slow.conditions)
        }
    }

    @Test func aChangeTakesEffectAtOnceAndIsNumbered() async throws {
        try await withControl { link, address in
            let before = try await ask(address, "GET")
            #expect(before.contains("\"generation\" : 0") && before.contains("\"rate\" : \"1 Mbit/s\""))
            let after = try await ask(address, "PUT", #"{"version": 1, "profile": "slow"}"#)
            #expect(after.contains("\"generation\" : 1") && after.contains("\"profile\" : \"slow\""))
            #expect(try await link.conditions == .link(delay: .seconds(1)))
            _ = try await ask(address, "PUT", #"{"offline": "refused"}"#)
            #expect(try await link.conditions.offline == .refused)
            let online = try await ask(address, "PUT", #"{"offline": null}"#)
            #expect(online.contains("\"generation\" : 3"))
            #expect(try await link.conditions == .link(delay: .seconds(1)))
        }
    }

    @Test(arguments: [
        (#"{}"#, "needs one of the keys"), (#"{"profil": "slow"}"#, "there is no key 'profil'"),
        (#"{"profile": "fast"}"#, "there is no profile 'fast'"), (#"{"version": 3, "profile": "slow"}"#, "version 2"),
        ("{", "the body is not JSON"), ("", "the body is not JSON"),
        (#"{"conditions": {"downlink": {"rate": "80"}}}"#, "no unit"),
        (#"{"conditions": {"uplink": {"delay": "1 ms", "jitter": "5 s"}}}"#, "the jitter of the uplink"),
        (#"{"offline": "silent", "offline": null}"#, "appears twice"),
    ])
    func aRefusedChangeSaysWhyAndChangesNothing(body: String, reason: String) async throws {
        try await withControl { link, address in
            let answer = try await ask(address, "PUT", body)
            #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
            #expect(answer.contains(reason), "\(answer)")
            #expect(try await link.counters().generation == 0)
        }
    }

    /// The conditions in an answer can be sent as a request, and then change nothing.
    @Test(arguments: [
        "{}", #"{"downlink": {"rate": "780 kbit/s", "delay": "100 ms", "loss": "1 %"}, "offline": "silent"}"#,
        #"{"uplink": {"queue": "50 packets", "delay": "20 ms", "jitter": {"amount": "3 ms", "distribution": "normal"}}}"#,
        #"""
        {"downlink": {"loss": {"good-to-bad": "1 %", "bad-to-good": "25 %"}, "queue": "64 KiB", "corrupt": "0.1 %"},
         "dns-delay": "50 ms", "mtu": 1400, "held": true}
        """#,
    ])
    func answeredConditionsCanBeSentBack(conditions: String) async throws {
        try await withControl { link, address in
            let said = try await ask(address, "PUT", #"{"conditions": \#(conditions)}"#)
            let held = try await link.conditions
            let body = try #require(said.firstRange(of: "\r\n\r\n")).upperBound
            let document = try JSONSerialization.jsonObject(with: Data(said[body...].utf8)) as? [String: Any]
            let answered = try JSONSerialization.data(withJSONObject: [
                "conditions": try #require(document?["conditions"])
            ])
            #expect(try await ask(address, "PUT", #"{"offline": null}"#).hasPrefix("HTTP/1.1 200 OK\r\n"))
            let again = try await ask(address, "PUT", String(decoding: answered, as: UTF8.self))
            #expect(again.hasPrefix("HTTP/1.1 200 OK\r\n") && again.contains("\"generation\" : 3"), "\(again)")
            #expect(try await link.conditions == held && held.isUnshaped == (conditions == "{}"), "\(said)")
        }
    }

    @Test func aProfileIsSentWhole() async throws {
        try await withControl { link, address in
            let body =
                #"{"profile": {"profile": "own", "source": "a test", "extends": "3g", "uplink": {"rate": "1 Mbit/s"}}}"#
            let said = try await ask(address, "PUT", body)
            #expect(said.contains("\"profile\" : \"own\""), "\(said)")
            #expect(try await link.conditions.uplink.rate == BitRate(bitsPerSecond: 1_000_000))
        }
    }

    /// A client that sends nothing, or only a part of a request.
    @Test(arguments: [
        "", "PUT /v1/link HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{", "GET /v1/link HTTP/1.1\r\nHost: ",
    ])
    func closesAConnectionWithoutAWholeRequest(said: String) throws {
        let link = try VirtualLink(.open)
        defer { link.stop() }
        let client = EmbeddedChannel(loop: link.loop)
        try Self.server(of: link).service.configure(client)
        client.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
        for byte in said.utf8 {
            link.advance(.milliseconds(100))
            client.receive([byte])
        }
        link.advance(.seconds(30) - .milliseconds(100 * said.utf8.count) - .nanoseconds(1))
        #expect(client.isActive)
        link.advance(.nanoseconds(1))
        #expect(!client.isActive)
    }

    @Test func aClientMaySendSeveralRequestsAndIsDisconnectedWhenIdle() async throws {
        try await withControl(patience: .milliseconds(500)) { _, address in
            let client = try await Peer.connect(to: address)
            for _ in 0..<2 { try await client.send("GET /v1/link HTTP/1.1\r\nHost: \(address)\r\n\r\n") }
            let said = await client.receiveAllText()
            #expect(said.split(separator: "200 OK").count == 3, "\(said)")
        }
    }

    private static func server(of link: VirtualLink, token: String? = nil) -> ControlServer {
        let configuration = ControlConfiguration(listen: .anyLoopbackPort, token: token) { _ in throw Unknown() }
        let engine = EngineHandle(engine: NIOLoopBound(link.engine, eventLoop: link.loop), loop: LinkLoop(link.loop))
        return ControlServer(configuration: configuration, engine: engine)
    }

    /// A 404 for the unknown path shows that the client was let in.
    @Test(
        arguments: [
            ("127.0.0.1", nil, 404), ("::1", nil, 404), ("::ffff:127.0.0.1", nil, 404), ("192.0.2.1", nil, 401),
            ("192.0.2.1", "Bearer s3cret", 404), ("192.0.2.1", "bearer  s3cret", 404),
            ("192.0.2.1", "Bearer s3crez", 401), ("192.0.2.1", "Bearer s3cre", 401),
            ("192.0.2.1", "Bearer s3cret1", 401), ("192.0.2.1", "Bearer ", 401), ("192.0.2.1", "Basic s3cret", 401),
            ("192.0.2.1", "s3cret", 401), ("2001:db8::1", nil, 401),
        ] as [(String, String?, Int)])
    func clientsBeyondLoopbackNeedTheToken(client: String, sent: String?, status: Int) async throws {
        let link = try VirtualLink(.open)
        let server = Self.server(of: link, token: "s3cret")
        link.stop()
        var request = APIRequest(method: "GET", target: "/", fields: ["host": ["192.0.2.9:1"]], client: client)
        request.fields["authorization"] = sent.map { [$0] }
        let answer = await server.answer(request)
        #expect(answer.status == status)
        #expect(answer.head.headers["www-authenticate"] == (status == 401 ? ["Bearer"] : []))
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("s3cret"))
    }

    @Test func refusesRemoteClientsWithoutAToken() async throws {
        let link = try VirtualLink(.open)
        let server = Self.server(of: link)
        link.stop()
        for token in ["", "Bearer", "Bearer nil"] {
            let answer = await server.answer(
                APIRequest(
                    method: "GET", target: "/", fields: ["host": ["192.0.2.9"], "authorization": [token]],
                    client: "192.0.2.1"))
            #expect(answer.status == 401)
        }
    }

    @Test func refusesPagesInBrowsers() async throws {
        try await withControl { link, address in
            let client = try await Peer.connect(to: address)
            try await client.send(
                "PUT /v1/link HTTP/1.1\r\nHost: \(address)\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\n"
                    + "Connection: close\r\n\r\n")
            #expect(await client.receiveAllText().hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
            #expect(try await link.counters().generation == 0)
        }
    }

    @Test func refusesAForeignHostField() async throws {
        try await withControl { _, address in
            let answer = try await ask(address, "PUT", #"{"offline": "silent"}"#, host: "evil.example")
            #expect(answer.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
        }
    }

    /// Containers use names without a dot; a page in a browser cannot have the token, so with it any name will do.
    @Test(
        arguments: [
            ("evil.example", nil, 403), ("evil.example:8081", "Bearer wrong", 403), ("headwind:8081", nil, 404),
            ("host.docker.internal", nil, 404), ("headwind.default.svc.cluster.local:8081", "Bearer s3cret", 404),
        ] as [(String, String?, Int)])
    func admitsLocalNames(host: String, sent: String?, status: Int) async throws {
        let link = try VirtualLink(.open)
        let server = Self.server(of: link, token: "s3cret")
        link.stop()
        var request = APIRequest(method: "GET", target: "/", fields: ["host": [host]], client: "127.0.0.1")
        request.fields["authorization"] = sent.map { [$0] }
        #expect(await server.answer(request).status == status)
        request.target = "/v2/links"
        let answer = await server.answer(request)
        #expect(answer.status == status && (answer.contentType == "application/json") == (status == 403))
    }
}
