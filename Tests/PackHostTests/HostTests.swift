import Glibc
import PackFormat
import PackHost
import SystemPackage
import Testing

@testable import PackHost

/// What a host without faults does.
@Suite("Host")
struct HostTests {
    @Test func statesExactlyWhatItSends() async throws {
        let reply = try await TestSite.with { site in
            try await site.host { try await RawClient.exchange($0.port, get()) }.0
        }
        #expect(reply.head.first == "HTTP/1.1 200 OK")
        #expect(
            reply.head.dropFirst().map { $0.prefix { $0 != ":" } } == [
                "Date", "Headwind-Run", "Content-Type", "Content-Length", "Accept-Ranges", "ETag", "Last-Modified",
                "Connection",
            ])
        #expect(reply["Headwind-Run"] == "test-run")
        #expect(reply["Content-Type"] == "application/zip")
        #expect(reply["ETag"] == TestSite.smallTag)
        #expect(reply["Date"].flatMap { HTTPDate(parsing: $0) } != nil)
        #expect(reply.body == TestSite.small)
        #expect(reply.end == .fin)
    }

    @Test(arguments: [
        ("/AssetPackManifest.plist", "<manifest/>", "application/x-plist"),
        ("/OnDemandResources.plist", "<table/>", "application/x-plist"),
        ("/packs/a%20b%2Fc", "ab", "application/octet-stream"),
        ("/packs/a%20b%2fc?token=secret", "ab", "application/octet-stream"),
        ("/packs/%61%20b%2fc", "ab", "application/octet-stream"),
        ("http://other.example/packs/a%20b%2Fc", "ab", "application/octet-stream"),  // RFC 9112 §3.2.2
    ])
    func findsExactlyWhatIsListed(path: String, text: String, mediaType: String) async throws {
        let reply = try await TestSite.with(files: ["ab": Array("ab".utf8)]) { site in
            var site = site
            let index = site.configuration.site.packs.firstIndex { $0.path == "/packs/ab" }
            site.configuration.site.packs[try #require(index)].path = "/packs/a%20b%2Fc"
            return try await site.host { try await RawClient.exchange($0.port, get(path)) }.0
        }
        #expect(reply.status == 200)
        #expect(reply.text == text)
        #expect(reply["Content-Type"] == mediaType)
    }

    @Test(arguments: [
        ("/", 404), ("/packs", 404), ("/packs/", 404), ("/packs/./small.assetpack", 404),
        ("/packs/../packs/small.assetpack", 404), ("//packs/small.assetpack", 404), ("/packs/small.assetpack/", 404),
        ("/packs/small%2eassetpack", 200), ("/packs/small%252eassetpack", 404),  // decoded once, not twice
        ("/etc/passwd", 404), ("/%2e%2e/%2e%2e/etc/passwd", 404), ("/packs/small.assetpack%00", 404),
        ("/packs/%zz", 400), ("/packs/%2", 400), ("*", 400), ("ftp://a/packs/small.assetpack", 400),
    ])
    func findsNothingElse(path: String, status: Int) async throws {
        let reply = try await TestSite.with { site in
            try await site.host { try await RawClient.exchange($0.port, get(path)) }.0
        }
        #expect(reply.status == status)
        #expect(reply["Headwind-Run"] == "test-run")
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
    func refusesOtherMethods(method: String) async throws {
        let reply = try await TestSite.with { site in
            try await site.host {
                try await RawClient.exchange($0.port, get("/x", method, fields: ["Content-Length: 3"]) + "abc")
            }.0
        }
        #expect(reply.status == 405)
        #expect(reply["Allow"] == "GET, HEAD")
        #expect(reply.end == .fin)
    }

    @Test func keepsAConnection() async throws {
        let (statuses, events) = try await TestSite.with { site in
            try await site.host { host in
                try await RawClient.connected(to: host.port) { client in
                    var statuses: [Int] = []
                    for (path, method) in [
                        ("/packs/small.assetpack", "GET"), ("/packs/small.assetpack", "HEAD"), ("/no", "GET"),
                        ("/AssetPackManifest.plist", "GET"), ("/no", "DELETE"), ("/packs/small.assetpack", "GET"),
                    ] {
                        try client.send(get(path, method, connection: "keep-alive"))
                        statuses.append(client.readResponse(hasBody: method != "HEAD").status)
                    }
                    return statuses
                }
            }
        }
        #expect(statuses == [200, 200, 404, 200, 405, 200])
        #expect(events.ends == [.client])
        #expect(events.transfers.allSatisfy { $0.cause == .complete })
    }

    @Test func answersRequestsThatWereSentAheadInOrder() async throws {
        let large = [UInt8](repeating: 7, count: 1_000_000)
        let reply = try await TestSite.with(files: ["large": large]) { site in
            try await site.host { host in
                let requests =
                    get("/packs/large", connection: "keep-alive")
                    + get("/AssetPackManifest.plist", connection: "keep-alive")
                    + get("/no", connection: "keep-alive") + get(fields: ["Range: bytes=0-4"])
                    + get("/packs/large")  // comes after the end, so it is not answered
                return try await RawClient.exchange(host.port, requests)
            }.0
        }
        let tail = String(decoding: reply.body.dropFirst(large.count), as: UTF8.self)
        #expect(Array(reply.body.prefix(large.count)) == large)
        #expect(tail.components(of: "HTTP/1.1 ") == ["200", "404", "206"])
        #expect(Array(reply.bytes.suffix(5)) == Array(TestSite.small[..<5]))
    }

    @Test(arguments: [
        ("GET /packs/small.assetpack HTTP/1.0\r\n\r\n", "close"),
        ("GET /packs/small.assetpack HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "keep-alive"),
        ("GET /packs/small.assetpack HTTP/1.1\r\nHost: a\r\n\r\n", nil),
        ("GET /packs/small.assetpack HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "close"),
    ])
    func statesWhetherTheConnectionStaysOpen(request: String, connection: String?) async throws {
        let reply = try await TestSite.with { site in
            try await site.host { host in
                try await RawClient.connected(to: host.port) { client in
                    try client.send(request)
                    return client.readResponse()
                }
            }.0
        }
        #expect(reply["Connection"] == connection)
        #expect(reply.body == TestSite.small)
    }

    @Test func answersAClientThatEndedItsSide() async throws {
        let reply = try await TestSite.with { site in
            try await site.host {
                try await RawClient.exchange($0.port, get(connection: "keep-alive"), finish: true)
            }.0
        }
        #expect(reply.body == TestSite.small)
        #expect(reply.end == .fin)
    }

    @Test func servesOnASocketThatItIsGiven() async throws {
        let listener = try ListeningSocket()
        let reply = try await TestSite.with { site in
            var site = site
            site.configuration.listener = .socket(FileDescriptor(rawValue: listener.descriptor))
            return try await site.host { host in
                #expect(host.port == listener.port)
                #expect(host.url == "http://127.0.0.1:\(listener.port)")
                return try await RawClient.exchange(listener.port, get())
            }.0
        }
        #expect(reply.body == TestSite.small)
    }

    @Test func saysWhereItCouldNotListen() async throws {
        try await TestSite.with { site in
            try await withPackHost(site.configuration) { host in
                var second = site.configuration
                second.listener = .address("127.0.0.1", port: host.port)
                do {
                    try await withPackHost(second) { _ in _ = Issue.record("two hosts listen on one port") }
                } catch {
                    #expect("\(error)".contains("127.0.0.1 port \(host.port)"))
                    #expect("\(error)".contains("Address already in use"))
                }
            }
        }
    }

    @Test func refusesASiteWithTwoFilesAtOnePath() async throws {
        try await TestSite.with { site in
            var configuration = site.configuration
            configuration.site.packs[0].path = "/%41ssetPackManifest.plist"
            await #expect(throws: HostError.duplicatePath("/%41ssetPackManifest.plist")) {
                try await withPackHost(configuration) { _ in }
            }
            configuration.site.packs[0].path = "packs/a"
            await #expect(throws: HostError.malformedPath("packs/a")) {
                try await withPackHost(configuration) { _ in }
            }
        }
    }

    @Test func counts() async throws {
        let statistics = try await TestSite.with { site in
            try await site.host { host in
                for range in ["bytes=0-9", "bytes=5-", "bytes=2000-"] {
                    _ = try await RawClient.exchange(host.port, get(fields: ["Range: \(range)"]))
                }
                return host.statistics
            }.0
        }
        #expect(statistics.connections == 3)
        let pack = try #require(statistics.packs["com.example.small.assetpack"])
        #expect(pack.requests == 3)
        #expect(pack.bytes == 10 + 995 + Int64("416 Range Not Satisfiable\n".utf8.count))
    }
}

extension String {
    /// The three characters after each `mark`.
    fileprivate func components(of mark: String) -> [String] {
        ranges(of: mark).map { String(self[$0.upperBound...].prefix(3)) }
    }
}

/// A bound and listening socket on a free port of 127.0.0.1.
private struct ListeningSocket {
    let descriptor: Int32
    let port: Int

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && listen(descriptor, 5) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard result else { throw Errno(rawValue: errno) }
        port = Int(address.sin_port.byteSwapped)
    }
}
