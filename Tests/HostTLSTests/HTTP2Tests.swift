import NIOPosix
import PackFormat
import PackHost
import SystemPackage
import Testing

/// Packs over HTTP/2, fetched by curl, whose HTTP/2 is nghttp2.
@Suite("HTTP/2 host", .timeLimit(.minutes(1)))
struct HTTP2Tests {
    private static let pack = TLSHost.pack

    /// Runs a host that offers HTTP/2; `body` gets the options that make curl trust it, and the URL of its pack.
    private func host<Result>(
        _ faults: String..., body: (PackHost, _ trust: [String], _ url: String) async throws -> Result
    ) async throws -> Result {
        let faults = try faults.map { try HostFault(parsing: $0) }
        return try await TLSHost.with(faults: faults, offersHTTP2: true) { host, authority in
            try await body(host, ["--cacert", authority], "\(host.url)/pack")
        }
    }

    @Test func servesWholePacksAndRangesOverOneConnection() async throws {
        let result = try await host { _, trust, url in
            try await curl(
                trust + [
                    "--range", "1000-1999", url, url, "--write-out", "%{http_version} %{http_code} %{num_connects};",
                ])
        }
        let part = Array(Self.pack[1000..<2000])
        #expect(result.output == part + "2 206 1;".utf8 + part + "2 206 0;".utf8)
    }

    @Test func aClientThatDoesNotNegotiateItIsServedByHTTP1() async throws {
        let result = try await host { _, trust, url in
            try await curl(trust + ["--http1.1", url, "--output", "/dev/null", "--write-out", "%{http_version}"])
        }
        #expect(result.output == Array("1.1".utf8))
    }

    @Test(arguments: [
        (["--head"], "200 0"), (["--range", "400000-"], "416 "), (["--request", "PUT"], "405 "),
        (["--path-as-is", "--url-query", "x"], "200 300000"),
    ])
    func answersAsOverHTTP1(options: [String], expected: String) async throws {
        let result = try await host { _, trust, url in
            try await curl(
                trust + options + [url, "--output", "/dev/null", "--write-out", "%{http_code} %{size_download}"])
        }
        #expect(String(decoding: result.output, as: UTF8.self).hasPrefix(expected))
    }

    /// Faults act at the same bytes as over HTTP/1.1, and curl's status shows how they end.
    ///
    /// 92 is a reset stream; 16, 18 and 56 are a broken connection.
    @Test(
        arguments: [
            ("cut@200000 rst-stream", 200_000, [92]), ("cut@0 rst-stream", 0, [92]),
            ("cut@200000 goaway", 200_000, [16, 18, 56, 92]), ("cut@200000", 200_000, [16, 18, 56, 92]),
            ("cut@200000 rst", 200_000, [16, 56, 92]), ("corrupt@150000", 300_000, [0]),
            ("wrong-length=+1", 300_000, [92]),
        ] as [(String, Int, [Int32])])
    func playsFaultsAtTheSameBytes(notation: String, count: Int, statuses: [Int32]) async throws {
        let result = try await host("pack=tag \(notation)") { _, trust, url in try await curl(trust + [url]) }
        var expected = Array(Self.pack[..<count])
        if statuses == [0] { expected[150_000] ^= 1 }
        #expect(statuses.contains(result.status), "curl ended with \(result.status)")
        #expect(result.output == expected)
    }

    /// After a reset stream the connection continues; after GOAWAY the client opens another one.
    @Test(arguments: [("rst-stream", "1 0", 1), ("goaway", "1 1", 2)])
    func anotherRequestFollows(end: String, connects: String, connections: Int) async throws {
        let (output, count) = try await host("pack=tag try=1 cut@1000 \(end)") { host, trust, url in
            let result = try await curl(
                trust + [url, url, "--output", "/dev/null", "--output", "/dev/null", "--write-out", "%{num_connects} "])
            return (result.output, host.statistics.connections)
        }
        #expect(String(decoding: output, as: UTF8.self) == connects + " ")
        #expect(count == connections)
    }

    /// Over HTTP/1.1, the connection ends where HTTP/2 has a frame.
    @Test(arguments: [("goaway", 18), ("rst-stream", 56)] as [(String, Int32)])
    func aFrameEndsAConnectionOfHTTP1(end: String, status: Int32) async throws {
        let result = try await host("pack=tag cut@1000 \(end)") { _, trust, url in
            try await curl(trust + ["--http1.1", url])
        }
        #expect(result.status == status && result.output == Array(Self.pack[..<1000]))
    }

    @Test func aStalledStreamHoldsTheConnectionUntilItsClientGoes() async throws {
        try await host("pack=tag stall@100000") { host, trust, url in
            let result = try await curl(trust + ["--max-time", "1", url])
            #expect(result.status == 28 && result.output == Array(Self.pack[..<100_000]))
            for await event in host.events {
                guard case .closed = event.kind else { continue }
                break
            }
        }
    }

    /// Streams that arrive together are answered in turn, so requests of one connection never overlap.
    @Test func streamsAreAnsweredInTurn() async throws {
        let (result, kinds) = try await host("pack=tag try=1 late-head=300ms") { host, trust, url in
            let targets = Array(repeating: ["--output", "/dev/null", url], count: 6).flatMap(\.self)
            let result = try await curl(
                trust + [
                    "--parallel", "--no-progress-meter", "--parallel-max", "6", "--write-out", "%{size_download} ",
                ] + targets)
            var under: [Int: Int] = [:]
            var (most, ended) = (0, 0)
            for await event in host.events where ended < 6 {
                switch event.kind {
                case .request:
                    under[event.connection, default: 0] += 1
                    most = max(most, under[event.connection] ?? 0)
                case .finished(let transfer):
                    under[event.connection, default: 0] -= 1
                    ended += 1
                    #expect(transfer.cause == .complete)
                default: break
                }
                if ended == 6 { break }
            }
            return (result, most)
        }
        #expect(result.status == 0)
        #expect(String(decoding: result.output, as: UTF8.self) == String(repeating: "300000 ", count: 6))
        #expect(kinds == 1)
    }

    /// Requests that are sent at once, before the client knows the host's settings; no stream may block the others.
    @Test(
        arguments: [
            ("late-head=50ms", "1:/pack 3:/pack", "HEADERS 1,DATA 1,DATA 1 end,HEADERS 3,DATA 3,DATA 3 end"),
            // The client could send more, and learns that it need not.
            (
                "late-head=50ms", "1:/pack+ 3:/none",
                "HEADERS 1,DATA 1,DATA 1 end,RST_STREAM 1,HEADERS 3,DATA 3,DATA 3 end"
            ),
            (
                "late-head=50ms", "1:/" + String(repeating: "a", count: 9000) + " 3:/none",
                "HEADERS 1,DATA 1,DATA 1 end,HEADERS 3,DATA 3,DATA 3 end"
            ),
            ("no-head", "1:/pack 1:reset 3:/none", "HEADERS 3,DATA 3,DATA 3 end"),
            (
                "late-head=50ms", "1:/pack 3:/pack 3:reset 5:/none",
                "HEADERS 1,DATA 1,DATA 1 end,HEADERS 5,DATA 5,DATA 5 end"
            ),
            // The client resets a stream whose file is being opened.
            ("try=9 cut@0", "1:/pack 1:reset 3:/none", "HEADERS 3,DATA 3,DATA 3 end"),
            ("cut@1000 rst-stream", "1:/pack 3:/none", "HEADERS 1,DATA 1,RST_STREAM 1,HEADERS 3,DATA 3,DATA 3 end"),
            // Waiting streams are not answered any more.
            ("cut@1000 goaway", "1:/pack 3:/pack 5:/pack", "HEADERS 1,DATA 1,GOAWAY 0"),
        ])
    func noStreamBlocksTheOthers(fault: String, requests: String, frames: String) async throws {
        let (output, open) = try await host("pack=tag \(fault)") { host, _, _ in
            let result = try await NIOThreadPool.clients.runIfActive {
                run("python3 '\(Self.frames)' \(host.port) \(requests)")
            }
            return (String(decoding: result.output, as: UTF8.self), host.statistics.openConnections)
        }
        #expect(output.split(separator: "\n").joined(separator: ",") == frames)
        #expect(open <= 1)
    }

    private static let frames = FilePath(#filePath).removingLastComponent().appending("frames.py").string

    @Test(arguments: ["cut@5 goaway", "cut@5 rst-stream"]) func aFrameNeedsHTTP2(notation: String) throws {
        let fault = try HostFault(parsing: notation)
        #expect(fault.impossibility(overTLS: true, offersHTTP2: true) == nil)
        #expect(fault.impossibility(overTLS: false, offersHTTP2: false) == "rst-stream and goaway need HTTP/2 over TLS")
        #expect(fault.impossibility(overTLS: true, offersHTTP2: false) == "rst-stream and goaway need HTTP/2 over TLS")
        #expect(fault.text == "cut@5 \(notation.dropFirst(6))")
    }
}
