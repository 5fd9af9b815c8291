import PackHost
import Testing

@testable import PackHost

/// The cases of curl's own tests and of RFC 9110 §14, for one file of 1,000 bytes.
@Suite("Ranges")
struct RangeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let range: String
        let status: Int
        var bytes: Range<Int>?

        var testDescription: String { range }
    }

    static let cases = [
        Case(range: "bytes=0-0", status: 206, bytes: 0..<1),
        Case(range: "bytes=0-499", status: 206, bytes: 0..<500),
        Case(range: "bytes=500-", status: 206, bytes: 500..<1000),
        Case(range: "bytes=999-", status: 206, bytes: 999..<1000),
        Case(range: "bytes=0-999", status: 206, bytes: 0..<1000),
        Case(range: "bytes=0-99999", status: 206, bytes: 0..<1000),
        Case(range: "bytes=5-99999999999999999999999999", status: 206, bytes: 5..<1000),
        Case(range: "bytes=-1", status: 206, bytes: 999..<1000),
        Case(range: "bytes=-1000", status: 206, bytes: 0..<1000),
        Case(range: "bytes=-5000", status: 206, bytes: 0..<1000),
        Case(range: "BYTES=1-2", status: 206, bytes: 1..<3),
        Case(range: "bytes= 1-2 ", status: 206, bytes: 1..<3),
        Case(range: "bytes=,1-2,,", status: 206, bytes: 1..<3),
        Case(range: "bytes=1000-", status: 416),  // the first byte is beyond the end
        Case(range: "bytes=1000-1000", status: 416),
        Case(range: "bytes=99999999999999999999-", status: 416),
        Case(range: "bytes=-0", status: 416),
        Case(range: "bytes=0-1,4-5", status: 200),  // several ranges: the whole file
        Case(range: "bytes=0-,0-,0-,0-", status: 200),  // CVE-2011-3192
        Case(range: "bytes=5-4", status: 200),  // from here on malformed, so ignored
        Case(range: "bytes=-", status: 200),
        Case(range: "bytes=", status: 200),
        Case(range: "bytes", status: 200),
        Case(range: "bytes=a-b", status: 200),
        Case(range: "bytes=1-2-3", status: 200),
        Case(range: "bytes=+1-2", status: 200),
        Case(range: "bytes=--1", status: 200),
        Case(range: "bytes=0x1-0x2", status: 200),
        Case(range: "bytes=\u{0661}-\u{0662}", status: 200),  // Arabic digits do not count
        Case(range: "lines=1-2", status: 200),
    ]

    @Test(arguments: cases)
    func answersARange(_ row: Case) async throws {
        let reply = try await TestSite.with { site in
            try await site.host { try await RawClient.exchange($0.port, get(fields: ["Range: \(row.range)"])) }.0
        }
        #expect(reply.status == row.status)
        #expect(reply.end == .fin)
        #expect(reply["Accept-Ranges"] == "bytes")
        #expect(reply["ETag"] == TestSite.smallTag)
        switch row.status {
        case 206:
            let bytes = try #require(row.bytes)
            #expect(reply["Content-Range"] == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/1000")
            #expect(reply["Content-Length"] == "\(bytes.count)")
            #expect(reply.body == Array(TestSite.small[bytes]))
        case 416:
            #expect(reply["Content-Range"] == "bytes */1000")
            #expect(reply.text == "416 Range Not Satisfiable\n")
        default:
            #expect(reply["Content-Range"] == nil)
            #expect(reply["Content-Length"] == "1000")
            #expect(reply.body == TestSite.small)
        }
    }

    @Test(arguments: [("bytes=0-", 416), ("bytes=-5", 200), ("bytes=-0", 416), ("bytes=0-0", 416)])
    func answersARangeOfAnEmptyFile(range: String, status: Int) async throws {
        let reply = try await TestSite.with(files: ["empty": []]) { site in
            try await site.host {
                try await RawClient.exchange($0.port, get("/packs/empty", fields: ["Range: \(range)"]))
            }.0
        }
        #expect(reply.status == status)
        #expect(reply["Content-Range"] == (status == 416 ? "bytes */0" : nil))
        #expect(status == 416 || reply.body.isEmpty)
    }

    @Test func ignoresARangeThatIsNotForGET() async throws {
        let request = get("/packs/small.assetpack", "HEAD", fields: ["Range: bytes=5-6"])
        let reply = try await TestSite.with { site in
            try await site.host { try await RawClient.exchange($0.port, request) }.0
        }
        #expect(reply.status == 200)
        #expect(reply["Content-Length"] == "1000")
        #expect(reply.body.isEmpty)
    }

    @Test func ignoresARepeatedRangeField() async throws {
        let request = get(fields: ["Range: bytes=1-2", "Range: bytes=3-4"])
        let reply = try await TestSite.with { site in
            try await site.host { try await RawClient.exchange($0.port, request) }.0
        }
        #expect(reply.status == 200)
    }
}
