import HostTLS
import PackFormat
import Testing

@testable import PackHost

/// Redirects to other paths, names and schemes, and what the host reports about the requests that follow them.
@Suite("Redirects")
struct RedirectTests {
    private let small = TestSite.small

    /// Replies to requests on separate connections, one after the other.
    private func exchange(
        _ notation: String..., requests: [String]
    ) async throws -> (replies: [Reply], events: [HostEvent]) {
        let faults = try notation.map { try HostFault(parsing: $0) }
        return try await TestSite.with(faults: faults) { site in
            let (replies, events) = try await site.host { host in
                var replies: [Reply] = []
                for request in requests { replies.append(try await RawClient.exchange(host.port, request)) }
                return replies
            }
            return (replies, events)
        }
    }

    private func request(_ path: String, host: String, fields: [String] = []) -> String {
        get(path, fields: fields).replacing("Host: localhost", with: "Host: \(host)")
    }

    @Test func thePackIsServedWhereARedirectLeads() async throws {
        let (replies, events) = try await exchange(
            "pack=red redirect=/moved/%73mall?a=b#c", requests: [get(), get("/moved/small?a=b"), get("/moved/other")])
        #expect(replies.map(\.status) == [302, 200, 404])
        #expect(replies[0]["Location"] == "/moved/%73mall?a=b#c")
        #expect(replies[1].body == small)
        // The redirect does not apply at its target, and both requests are tries for one pack.
        #expect(
            events.decisions == [
                #"L1 GET /packs/small.assetpack from=0 try=1 redirect="/moved/%73mall?a=b#c" status=302"#
            ])
        #expect(events.requests.map(\.number) == [1, 2, nil])
    }

    /// A relative path starts from the path of the request: the pack's own, or one that it was moved to.
    @Test func aRelativeRedirectLeadsToThePack() async throws {
        let (replies, _) = try await exchange(
            "pack=red try=1 redirect=/moved/to/a", "pack=red try=2- redirect=b?c",
            requests: [
                get(), get("/moved/to/a"), get("/moved/to/b?c"), get("/packs/b"), get("/packs/small.assetpack"),
                get("/b"),
            ])
        #expect(replies.map(\.status) == [302, 302, 200, 200, 302, 404])
        #expect(replies[1]["Location"] == "b?c" && replies[2].body == small && replies[3].body == small)
    }

    /// At a path that another redirect made, a relative one applies once more, as in a chain with one of each kind.
    @Test func aRelativeRedirectIsPlayedAtAPathOfAnotherOne() async throws {
        let (replies, _) = try await exchange(
            "pack=red try=1 redirect=/moved/a", "pack=red try=2 redirect=a",
            requests: [get(), get("/moved/a"), get("/moved/a")])
        #expect(replies.map(\.status) == [302, 302, 200])
        #expect(replies[1]["Location"] == "a" && replies[2].body == small)
    }

    @Test(arguments: ["http:b", "./b", "x/../b", "//b", "?b", "#b"])
    func targetsThatAreNoPlainPathDoNotServeThePack(target: String) async throws {
        let (replies, _) = try await exchange(
            "pack=red redirect=\(target)", requests: [get(), get("/packs/b"), get("/b")])
        #expect(replies.map(\.status) == [302, 404, 404])
    }

    /// A fault of any pack means the only pack of the site; among several packs it means none.
    @Test(arguments: [([:], 200), (["other.assetpack": [1]], 404)] as [([String: [UInt8]], Int)])
    func aRedirectOfAnyPackServesTheOnlyOne(others: [String: [UInt8]], status: Int) async throws {
        let fault = try HostFault(parsing: "redirect=/moved")
        try await TestSite.with(files: others, faults: [fault]) { site in
            let (reply, _) = try await site.host { try await RawClient.exchange($0.port, get("/moved")) }
            #expect(reply.status == status && (status == 404 || reply.body == small))
        }
    }

    @Test func aScheduleNamesAMovedPackByItsOwnPath() async throws {
        let (replies, events) = try await exchange(
            "pack=red redirect=/moved", "pack=red try=2 cut@400", requests: [get(), get("/moved")])
        #expect(replies[1].body == Array(small[..<400]))
        #expect(events.decisions.last == "L1 GET /packs/small.assetpack from=0 try=2 cut@400")
    }

    @Test(arguments: [
        ("127.0.0.1:81", "/moved", "http://localhost:81/moved"),
        ("localhost", "?a=b", "http://127.0.0.1/packs/small.assetpack?a=b"),
        ("LocalHost:1", "/moved#c", "http://127.0.0.1:1/moved#c"),
    ])
    func leadsToAnotherHost(host: String, target: String, location: String) async throws {
        let (replies, _) = try await exchange(
            "redirect=\(target) other-host status=307",
            requests: [request("/packs/small.assetpack", host: host)])
        #expect(replies[0].status == 307 && replies[0]["Location"] == location)
    }

    /// If no port is stated, it is the scheme's default.
    @Test(
        arguments: [
            ("127.0.0.1:8080", "/moved", "http://127.0.0.1/moved"),
            ("localhost", "/moved", "http://localhost:8080/moved"),
            ("[::1]:81", "?a=b", "http://[::1]:82/packs/small.assetpack?a=b"),
            ("localhost:82", "/moved", "http://localhost:81/moved"), ("localhost:83", "/moved", nil),
        ] as [(String, String, String?)])
    func leadsToAnotherPort(asked: String, target: String, location: String?) async throws {
        let fault = try HostFault(parsing: "redirect=\(target) other-port")
        try await TestSite.with(faults: [fault]) { site in
            var site = site
            site.configuration.otherPorts = [80: 8080, 8080: 80]
            let (reply, _) = try await site.host { host in
                host.lead(from: 81, to: 82)
                return try await RawClient.exchange(host.port, request("/packs/small.assetpack", host: asked))
            }
            #expect(reply.status == (location == nil ? 200 : 302) && reply["Location"] == location)
        }
    }

    @Test(arguments: ["elsewhere.example", "a@127.0.0.1", "127.0.0.1:x", "[::1]:80"])
    func leadsNowhereFromAnUnknownName(host: String) async throws {
        let (replies, events) = try await exchange(
            "redirect=/moved other-host", requests: [request("/packs/small.assetpack", host: host)])
        #expect(replies[0].status == 200 && events.decisions.isEmpty)
    }

    @Test func reportsOriginAndCredentials() async throws {
        let (_, events) = try await exchange(
            requests: [
                request(
                    "/packs/small.assetpack", host: "127.0.0.1:81", fields: ["Cookie: a=b", "AUTHORIZATION: Basic x"]),
                request("/packs/small.assetpack", host: "LOCALHOST"),
            ])
        #expect(events.requests.map(\.origin) == ["http://127.0.0.1:81", "http://localhost"])
        #expect(events.requests.map(\.credentials) == ["authorization, cookie", nil])
    }

    @Test func aHostWithTLSAlsoAnswersPlainHTTP() async throws {
        let fault = HostFault(
            pack: "red", tries: 1...1, action: .redirect(to: "/moved", status: 302, origin: .plainHTTP))
        try await TestSite.with(faults: [fault]) { site in
            var site = site
            let factory = try RunAuthority().handlerFactory(names: ["localhost"])
            site.configuration.security = .init(makeHandlers: factory)
            let (reply, events) = try await site.host { host in
                try await RawClient.exchange(host.port, get("/moved"))
            }
            #expect(reply.status == 200 && reply.body == small)
            #expect(events.requests.map(\.origin) == ["http://localhost"])
        }
    }

    @Test func plainHTTPNeedsAHostWithTLS() async throws {
        let fault = HostFault(pack: "red", action: .redirect(to: "/moved", status: 302, origin: .plainHTTP))
        #expect(fault.impossibility(overTLS: true, offersHTTP2: false) == nil)
        #expect(fault.impossibility(overTLS: false, offersHTTP2: false) == "plain-http needs a host with TLS")
    }
}

extension [HostEvent] {
    fileprivate var requests: [HostRequest] {
        compactMap { if case .request(let request) = $0.kind { request } else { nil } }
    }
}
