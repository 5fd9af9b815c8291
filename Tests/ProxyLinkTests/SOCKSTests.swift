import LinkModel
import NIOCore
import NIOEmbedded
import Testing

@testable import ProxyLink

/// SOCKS 5 at the forward proxy (RFC 1928).
@Suite(.timeLimit(.minutes(1)))
struct SOCKSTests {
    private static let greeting: [UInt8] = [5, 1, 0]
    private static let success: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]

    private static func request(_ name: String, port: UInt16 = 443, command: UInt8 = 1) -> [UInt8] {
        var request: [UInt8] = [5, command, 0, 3, UInt8(name.utf8.count)]
        request += name.utf8
        request += [UInt8(port >> 8), UInt8(port & 0xFF)]
        return request
    }

    private static func failure(_ code: UInt8) -> [UInt8] { [5, code, 0, 1, 0, 0, 0, 0, 0, 0] }

    /// What an open link answers and passes on, after ample time; `host` is nil if nothing was connected.
    private func conversation(_ pieces: [[UInt8]]) throws -> (answer: [UInt8], host: [UInt8]?, target: Endpoint?) {
        let link = try VirtualLink(.link(delay: .milliseconds(1)))
        defer { link.stop() }
        let client = link.connect(.forward)
        for piece in pieces { client.receive(piece) }
        link.advance(.seconds(1))
        let target = link.engine.connections.values.first?.course?.target
        return (client.sent(), link.hostCount == 0 ? nil : link.host().sent(), target)
    }

    private static let targets: [([UInt8], String)] = [
        (request("packs.test"), "packs.test:443"), (request("Packs.Test", port: 80), "packs.test:80"),
        (request("192.0.2.7", port: 65_535), "192.0.2.7:65535"), (request("2001:db8::1"), "[2001:db8::1]:443"),
        ([5, 1, 0, 1, 192, 0, 2, 7, 1, 187], "192.0.2.7:443"),
        ([5, 1, 0, 4, 0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 187], "[2001:db8::1]:443"),
    ]

    @Test(arguments: SOCKSTests.targets)
    func connectNamesItsTarget(request: [UInt8], target: String) throws {
        let (answer, host, reached) = try conversation([Self.greeting, request, Array("hello".utf8)])
        #expect(answer == [5, 0] + Self.success)
        #expect(host == Array("hello".utf8))
        #expect(reached == (try Endpoint(parsing: target)))
    }

    /// A client need not wait for answers, and the network may split its bytes anywhere.
    @Test func splitBytesMakeNoDifference() throws {
        let whole = [5, 3, 1, 2, 0] + Self.request("packs.test") + Array("hello".utf8)
        var ways = (0...whole.count).map { [Array(whole[..<$0]), Array(whole[$0...])] }
        ways.append(whole.map { [$0] })
        for pieces in ways {
            let (answer, host, _) = try conversation(pieces.filter { !$0.isEmpty })
            #expect(answer == [5, 0] + Self.success, "\(pieces)")
            #expect(host == Array("hello".utf8), "\(pieces)")
        }
    }

    /// The bytes after the greeting, and the code of the reply.
    private static let refused: [([UInt8], UInt8)] = [
        // BIND, UDP ASSOCIATE, and a command that RFC 1928 does not have.
        (request("a", command: 2), 7), (request("a", command: 3), 7), (request("a", command: 0), 7),
        // An address of an unknown kind, and so of unknown length.
        ([5, 1, 0, 2], 8),
        // Invalid names.
        (request(""), 1), (request("a b"), 1), (request("a:80"), 1), (request("a\0"), 1),
        ([5, 1, 0, 3, 1, 0xFF, 0, 80], 1),
        // Another version, and a reserved byte that is not 0.
        ([4, 1, 0, 3], 1), ([5, 1, 1, 3, 1, 97, 0, 80], 1),
    ]

    @Test(arguments: SOCKSTests.refused)
    func unsupportedRequestsAreRefused(request: [UInt8], code: UInt8) throws {
        let (answer, host, _) = try conversation([Self.greeting, request])
        #expect(answer == [5, 0] + Self.failure(code))
        #expect(host == nil)
    }

    /// Authentication is not offered, and SOCKS 4 gets a reply of its own version.
    @Test(arguments: [
        ([5, 1, 2], [5, 0xFF]), ([5, 0], [5, 0xFF]), ([4, 1, 0, 80, 192, 0, 2, 7, 0], [0, 91, 0, 0, 0, 0, 0, 0]),
    ])
    func otherGreetingsAreRefused(greeting: [UInt8], answer: [UInt8]) throws {
        let (said, host, _) = try conversation([greeting])
        #expect(said == answer)
        #expect(host == nil)
    }

    /// A log of connections has one line for each of them, so an invalid name must not add lines.
    @Test func anInvalidNameIsNotRepeatedInTheReason() async throws {
        try await withProxyLink(ProxyLinkConfiguration(profile: .open)) { link in
            let client = try await link.connectToProxy()
            try await client.send(Self.greeting + Self.request("a\n#2 socks packs.test:443"))
            let reason = await link.event { if case .refused(let reason) = $0.kind { reason } else { nil } }
            #expect(reason?.hasPrefix("Could not read the request") == true && reason?.contains("packs.test") == false)
        }
    }

    private static let halves: [([UInt8], [UInt8])] = [
        ([5], []), ([5, 2, 0], []), (greeting, [5, 0]), ([5, 1, 0, 5, 1, 0, 1, 192], [5, 0]),
        (greeting + request("packs.test").dropLast(), [5, 0]),
    ]

    /// Each of them waits, until the deadline of a request's head ends it.
    @Test(arguments: SOCKSTests.halves)
    func anIncompleteRequestWaitsUntilTheDeadline(said: [UInt8], answer: [UInt8]) throws {
        let link = try VirtualLink(.open)
        defer { link.stop() }
        let client = link.connect(.forward)
        client.receive(said)
        link.advance(.seconds(10) - .nanoseconds(1))
        #expect(client.sent() == answer)
        link.advance(.nanoseconds(1))
        // Before the greeting is answered, no reply can report it.
        #expect(client.sent() == (answer.isEmpty ? [] : Self.failure(1)))
        link.advance(.seconds(3))
        #expect(link.engine.connections.isEmpty)
    }

    @Test(arguments: [(OfflineKind.noRoute, UInt8(3)), (.refused, 5), (.noName, 4)])
    func anOfflineLinkIsReportedInTheReply(kind: OfflineKind, code: UInt8) throws {
        let link = try VirtualLink(Profile(name: "off", conditions: .offline(kind)))
        defer { link.stop() }
        let client = link.connect(.forward)
        client.receive(Self.greeting + Self.request("packs.test"))
        link.advance(.seconds(10))
        #expect(client.sent() == [5, 0] + Self.failure(code))
        #expect(link.hostCount == 0)
    }

    @Test func aSilentLinkAnswersOnceTCPTimesOut() throws {
        let link = try VirtualLink(Profile(name: "off", conditions: .offline(.silent)))
        defer { link.stop() }
        let client = link.connect(.forward)
        client.receive(Self.greeting + Self.request("192.0.2.1"))
        link.advance(.seconds(60))
        #expect(client.sent() == [5, 0])
        link.advance(.seconds(3600))
        #expect(client.sent() == Self.failure(6))
    }

    /// The greeting stays between the client and its proxy; what follows crosses the link.
    @Test func connectingCostsARoundTripAndANameItsLookup() throws {
        var conditions = LinkConditions.link(delay: .milliseconds(10))
        conditions.dnsDelay = .milliseconds(100)
        for (name, time) in [("a.test", 140), ("192.0.2.1", 20)] {
            let link = try VirtualLink(Profile(name: "dns", conditions: conditions))
            defer { link.stop() }
            let client = link.connect(.forward)
            client.receive(Self.greeting)
            #expect(client.sent() == [5, 0])
            client.receive(Self.request(name))
            link.advance(.milliseconds(time) - .nanoseconds(1))
            #expect(client.sent() == [])
            link.advance(.nanoseconds(1))
            #expect(client.sent() == Self.success)
        }
    }

    @Test func aTargetWithoutARouteIsNotAllowed() async throws {
        try await withProxyLink(ProxyLinkConfiguration(profile: .open)) { link in
            let client = try await link.connectToProxy()
            try await client.send(Self.greeting + Self.request("example.test"))
            #expect(await client.receiveAll().bytes == [5, 0] + Self.failure(2))
        }
    }

    @Test func theReplyNamesTheAddressThatTheTargetSees() async throws {
        try await PeerListener.with { listener in
            try await withTestLink(to: listener) { link in
                let client = try await link.connectToProxy()
                try await client.send(Self.greeting + Self.request("127.0.0.1", port: UInt16(listener.endpoint.port)))
                let host = try await listener.accept()
                let port = UInt16(try #require(host.channel.remoteAddress?.port))
                let (high, low) = (UInt8(port >> 8), UInt8(port & 0xFF))
                #expect(await client.receive(12) == [5, 0, 5, 0, 0, 1, 127, 0, 0, 1, high, low])
                let mode = await link.event { if case .opened(let mode, _, _, _) = $0.kind { mode } else { nil } }
                #expect(mode == "socks")
            }
        }
    }

    @Test func curlReportsTheReason() async throws {
        let configuration = ProxyLinkConfiguration(
            profile: Profile(name: "off", conditions: .offline(.refused)), routes: RouteTable(policy: .direct))
        try await withProxyLink(configuration) { link in
            let proxy = try #require(link.forwardAddress)
            let result = await Shell.run("curl -sS -m 5 -x socks5h://\(proxy) http://packs.test/")
            // CURLE_PROXY.
            #expect(result.status == 97)
            #expect(result.output.contains("(5)"), "\(result.output)")
        }
    }
}
