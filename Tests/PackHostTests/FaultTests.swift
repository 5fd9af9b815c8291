import PackFormat
import PackHost
import Testing

@testable import PackHost

/// Every kind of fault, as seen on the wire.
@Suite("Faults")
struct FaultTests {
    private let small = TestSite.small

    /// One exchange with a host that plays the faults in `notation`.
    private func exchange(
        _ notation: String..., request: String = get(), finish: Bool = false
    ) async throws -> (Reply, [HostEvent]) {
        let faults = try notation.map { try HostFault(parsing: $0) }
        return try await TestSite.with(faults: faults) { site in
            try await site.host { try await RawClient.exchange($0.port, request, finish: finish) }
        }
    }

    @Test(arguments: [("retry-after=120s", "120"), ("", nil)])
    func answersAStatus(option: String, retryAfter: String?) async throws {
        let (reply, events) = try await exchange("pack=red status=503 \(option)")
        #expect(reply.status == 503)
        #expect(reply["Retry-After"] == retryAfter)
        #expect(reply.text == "503 Service Unavailable\n")
        #expect(reply["Headwind-Run"] == "test-run")
        #expect(events.decisions.count == 1)
    }

    @Test(arguments: [("90s", 90), ("-1h", -3600), ("650000h", 2_340_000_000)])
    func statesADateToRetryAfter(delay: String, seconds: Int64) async throws {
        let (reply, _) = try await exchange("status=429 retry-after-date=\(delay)")
        let date = try #require(reply["Date"].flatMap { HTTPDate(parsing: $0) })
        let retry = try #require(reply["Retry-After"].flatMap { HTTPDate(parsing: $0) })
        #expect(retry.secondsSinceEpoch - date.secondsSinceEpoch == seconds)
    }

    @Test func redirects() async throws {
        let (reply, _) = try await exchange("redirect=/elsewhere?a=b status=307")
        #expect(reply.status == 307)
        #expect(reply["Location"] == "/elsewhere?a=b")
    }

    @Test func sendsTheHeadLate() async throws {
        let (reply, _) = try await exchange("late-head=150ms")
        #expect(reply.duration >= .milliseconds(150))
        #expect(reply.body == small)
    }

    @Test func neverSendsAHead() async throws {
        let (reply, events) = try await exchange("no-head", finish: true)
        #expect(reply.bytes.isEmpty)
        #expect(events.transfers.map(\.cause) == [.clientClosed])
        #expect(events.transfers.map(\.status) == [nil])
        #expect(events.decisions == ["L1 GET /packs/small.assetpack from=0 try=1 no-head"])
    }

    @Test(arguments: [
        ("cut@0", 0, RawClient.End.fin), ("cut@1", 1, .fin), ("cut@50%", 500, .fin), ("cut@999", 999, .fin),
        ("cut@0 rst", 0, .reset), ("cut@400 rst", 400, .reset), ("cut@0.5KiB rst", 512, .reset),
    ])
    func cutsAtAByte(notation: String, count: Int, end: RawClient.End) async throws {
        let (reply, events) = try await exchange(notation)
        #expect(reply.body == Array(small[..<count]))
        #expect(reply["Content-Length"] == "1000")
        #expect(reply.end == end)
        #expect(events.transfers.map(\.cause) == [.cut(reset: end == .reset)])
        #expect(events.transfers.map(\.handed) == [Int64(count)])
        #expect(events.transfers.map(\.planned) == [1000])
    }

    @Test(arguments: [
        ("bytes=300-", 100, "cut@400"),  // inside: still at byte 400 of the file
        ("bytes=400-", 0, "cut@400"),
        ("bytes=401-", 599, nil),  // after the cut
        ("bytes=0-399", 400, nil), ("bytes=0-400", 400, "cut@400"),
    ])
    func cutsARangeAtTheSamePlaceOfTheFile(range: String, count: Int, decision: String?) async throws {
        let (reply, events) = try await exchange("cut@400", request: get(fields: ["Range: \(range)"]))
        #expect(reply.status == 206)
        #expect(reply.body.count == count)
        let from = try #require(events.transfers.first).from
        #expect(events.decisions == (decision.map { ["L1 GET /packs/small.assetpack from=\(from) try=1 \($0)"] } ?? []))
    }

    @Test func stallsAtAByteAndGoesOn() async throws {
        let (first, rest) = try await TestSite.with(faults: [try HostFault(parsing: "stall@400 for=200ms")]) { site in
            try await site.host { host in
                try await RawClient.connected(to: host.port) { client in
                    try client.send(get())
                    let head = client.readResponseHead()
                    let before = client.read(exactly: 400)
                    let clock = ContinuousClock()
                    let start = clock.now
                    let after = client.readToEnd()
                    #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
                    #expect(clock.now - start >= .milliseconds(150))
                    return (before, after.bytes)
                }
            }.0
        }
        #expect(first + rest == small)
    }

    @Test func stallsWithoutEnd() async throws {
        let (_, events) = try await TestSite.with(faults: [try HostFault(parsing: "stall@400")]) { site in
            try await site.host { host in
                try await RawClient.connected(to: host.port, deadline: .milliseconds(200)) { client in
                    try client.send(get())
                    let (bytes, end) = client.readToEnd()
                    #expect(Reply(bytes: bytes, end: end, duration: .zero).body == Array(TestSite.small[..<400]))
                    #expect(end == .open)
                }
            }
        }
        #expect(events.transfers.map(\.handed) == [400])
        #expect([.clientClosed, .hostClosed].contains(events.transfers[0].cause))
    }

    @Test func drips() async throws {
        let (reply, _) = try await exchange("drip=32kbit/s", request: get(fields: ["Range: bytes=0-999"]))
        #expect(reply.body == small)
        #expect(reply.duration >= .milliseconds(250))  // 1,000 bytes at 4,000 bytes a second
    }

    @Test func dripsAtTheSameRateAfterAStall() async throws {
        // 800 bytes at 4,000 bytes a second, then 200 more at the same speed.
        let (reply, _) = try await exchange("drip=32kbit/s", "stall@800 for=100ms")
        #expect(reply.body == small)
        #expect(reply.duration >= .milliseconds(350))
    }

    @Test(arguments: [0, 500, 999])
    func corruptsOneBit(place: Int) async throws {
        let (reply, _) = try await exchange("corrupt@\(place)")
        var expected = small
        expected[place] ^= 1
        #expect(reply.body == expected)
    }

    @Test(arguments: [("+100", "1100"), ("-100", "900"), ("-5000", "0")])
    func statesAWrongLength(error: String, stated: String) async throws {
        let (reply, events) = try await exchange("wrong-length=\(error)", request: get(connection: "keep-alive"))
        #expect(reply["Content-Length"] == stated)
        #expect(reply.body == small)
        #expect(reply.end == .fin)
        #expect(reply["Connection"] == "close")
        #expect(events.decisions == ["L1 GET /packs/small.assetpack from=0 try=1 wrong-length=\(error)"])
    }

    @Test(arguments: [
        ("", 0, "4294967696"), ("Range: bytes=100-", 100, "4294967596"), ("Range: bytes=900-", 900, "4294967296"),
    ])
    func statesALengthThatA32BitNumberTruncates(field: String, from: Int, stated: String) async throws {
        let request = get(fields: field.isEmpty ? [] : [field], connection: "keep-alive")
        let (reply, events) = try await exchange("wrapped-length@40%", request: request)
        #expect(reply["Content-Length"] == stated && reply["Connection"] == "close")
        #expect(reply.body == Array(small[from...]) && reply.end == .fin)
        #expect(events.decisions == ["L1 GET /packs/small.assetpack from=\(from) try=1 wrapped-length@400"])
    }

    @Test(arguments: [
        ("bytes=4294967296-", 4_294_967_296, 1000), ("bytes=4294967286-4294967305", 4_294_967_286, 20),
        ("bytes=10-29", 10, 20), ("bytes=-5", 4_294_968_291, 5),
    ])
    func putsZerosInFront(range: String, from: Int, count: Int) async throws {
        let (reply, events) = try await exchange("leading-zeros=4GiB", request: get(fields: ["Range: \(range)"]))
        #expect(reply.status == 206)
        #expect(reply["Content-Range"] == "bytes \(from)-\(from + count - 1)/4294968296")
        let expected = (from..<(from + count)).map { $0 < 1 << 32 ? 0 : small[$0 - 1 << 32] }
        #expect(reply.body == expected)
        #expect(events.decisions == ["L1 GET /packs/small.assetpack from=\(from) try=1 leading-zeros=4294967296"])
        let (whole, _) = try await exchange("leading-zeros=4GiB", request: get("/packs/small.assetpack", "HEAD"))
        #expect(whole["Content-Length"] == "4294968296" && whole["ETag"] == reply["ETag"])
    }

    @Test func sendsARangeAsAWhole() async throws {
        let (reply, events) = try await exchange("range-as-whole", request: get(fields: ["Range: bytes=400-"]))
        #expect(reply.status == 200 && reply["Content-Range"] == nil && reply["Content-Length"] == "600")
        #expect(reply.body == Array(small[400...]))
        #expect(events.decisions == ["L1 GET /packs/small.assetpack from=400 try=1 range-as-whole"])
        let (whole, others) = try await exchange("range-as-whole")
        #expect(whole.body == small && others.decisions.isEmpty)
    }

    @Test func statesNoValidators() async throws {
        let (reply, events) = try await exchange("no-validators")
        #expect(reply["ETag"] == nil && reply["Last-Modified"] == nil && reply.body == small)
        #expect(events.decisions == ["L1 GET /packs/small.assetpack from=0 try=1 no-validators"])
    }

    @Test(arguments: [("bytes=10-19", 200), ("bytes=5000-", 200), ("bytes=1-2,3-4", 200)])
    func ignoresTheRange(range: String, status: Int) async throws {
        let (reply, events) = try await exchange("ignore-range", request: get(fields: ["Range: \(range)"]))
        #expect(reply.status == status)
        #expect(reply.body == small)
        #expect(events.decisions.count == (range.contains(",") ? 0 : 1))
    }

    @Test(arguments: [
        ("+5", 105..<200), ("-5", 95..<200), ("-500", 0..<200), ("+5000", 999..<1000),
    ])
    func answersAnotherRange(error: String, bytes: Range<Int>) async throws {
        let (reply, _) = try await exchange("wrong-range=\(error)", request: get(fields: ["Range: bytes=100-199"]))
        #expect(reply.status == 206)
        #expect(reply["Content-Range"] == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/1000")
        #expect(reply.body == Array(small[bytes]))
    }

    @Test func changesTheETag() async throws {
        let fields = ["Range: bytes=10-19", "If-Range: \(TestSite.smallTag)"]
        let (reply, _) = try await exchange("changed-etag", request: get(fields: fields))
        #expect(reply.status == 200)
        #expect(reply["ETag"] == "\"changed-etag-" + TestSite.smallTag.dropFirst())
        #expect(reply.body == small)
    }

    @Test func playsACaptivePortal() async throws {
        let request = get(fields: ["Range: bytes=1-2"])
        let (reply, _) = try await exchange(#"body="<html>Sign in, \"please\"</html>""#, request: request)
        #expect(reply.status == 200)
        #expect(reply["Content-Type"] == "text/html")
        #expect(reply["ETag"] == nil)
        #expect(reply.text == "<html>Sign in, \"please\"</html>")
    }

    @Test func playsSeveralFaultsInOneResponse() async throws {
        let (reply, events) = try await exchange("corrupt@10", "late-head=50ms", "cut@20", "corrupt@30", "cut@40 rst")
        var expected = Array(small[..<20])
        expected[10] ^= 1
        #expect(reply.body == expected)
        #expect(reply.end == .fin)
        #expect(reply.duration >= .milliseconds(50))
        #expect(
            events.decisions.map { $0.split(separator: " ", maxSplits: 5).last } == [
                "corrupt@10", "cut@20", "late-head=50ms",
            ])
    }

    @Test func cutsALargeFileExactlyWhereTheClientReadsSlowly() async throws {
        let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        let fault = try HostFault(parsing: "pack=large cut@2345678 rst")
        let ((bytes, end), _) = try await TestSite.with(files: ["large": large], faults: [fault]) { site in
            try await site.host { host in
                try await RawClient.connected(to: host.port) { client in
                    try client.send(get("/packs/large"))
                    _ = client.readResponseHead()
                    return client.readToEnd()
                }
            }
        }
        #expect(end == .reset)
        #expect(bytes == Array(large[..<2_345_678]))
    }
}
