import Glibc
import PackHost
import SystemPackage
import Testing

@testable import PackHost

/// Conditional requests, RFC 9110 §13, against one file with a known modification date.
@Suite("Conditions")
struct ConditionTests {
    static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"

    /// The reply to a request with these fields.
    private func reply(_ fields: [String], method: String = "GET") async throws -> Reply {
        try await TestSite.with { site in
            let file = site.folder.appending("small.assetpack")
            var times = utimbuf(actime: 784_111_777, modtime: 784_111_777)
            #expect(utime(file.string, &times) == 0)
            return try await site.host {
                try await RawClient.exchange($0.port, get("/packs/small.assetpack", method, fields: fields))
            }.0
        }
    }

    @Test(arguments: [
        (TestSite.smallTag, 206),
        ("W/" + TestSite.smallTag, 200),  // weak tags never match strongly
        ("\"another\"", 200),
        (modified, 206),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 206),  // RFC 850
        ("Sun Nov  6 08:49:37 1994", 206),  // asctime
        ("Sun, 06 Nov 1994 08:49:38 GMT", 200),  // a later date is another date
        ("nonsense", 200), ("\"", 200),
    ])
    func honoursIfRange(condition: String, status: Int) async throws {
        let reply = try await reply(["Range: bytes=10-19", "If-Range: \(condition)"])
        #expect(reply.status == status)
        #expect(reply.body.count == (status == 206 ? 10 : 1000))
        #expect(reply["Last-Modified"] == Self.modified)
    }

    @Test func sendsTheWholeIfIfRangeNamesAnotherVersion() async throws {
        let reply = try await reply(["Range: bytes=5000-", "If-Range: \"another\""])
        #expect(reply.status == 200)
        #expect(reply.body == TestSite.small)
    }

    @Test(arguments: [
        ([TestSite.smallTag], 304), (["W/" + TestSite.smallTag], 304), (["*"], 304),
        (["\"a\", " + TestSite.smallTag + ", \"b\""], 304), (["\"a,b\", " + TestSite.smallTag], 304),
        (["\"a\"", TestSite.smallTag], 304),  // two fields are one list
        (["\"a\", \"b\""], 200), (["unquoted"], 200), (["\"unclosed"], 200), ([""], 200),
    ])
    func honoursIfNoneMatch(tags: [String], status: Int) async throws {
        let reply = try await reply(tags.map { "If-None-Match: \($0)" })
        #expect(reply.status == status)
        #expect(reply.body == (status == 304 ? [] : TestSite.small))
        #expect(reply["ETag"] == TestSite.smallTag)
        #expect(reply["Content-Length"] == (status == 304 ? nil : "1000"))
    }

    @Test(arguments: [
        (modified, 304), ("Sun, 06 Nov 1994 08:49:36 GMT", 200), ("Mon, 07 Nov 1994 08:49:37 GMT", 304),
        ("nonsense", 200),
    ])
    func honoursIfModifiedSince(date: String, status: Int) async throws {
        let reply = try await reply(["If-Modified-Since: \(date)"], method: "HEAD")
        #expect(reply.status == status)
        #expect(reply.body.isEmpty)
    }

    @Test(arguments: [
        (["If-Match: " + TestSite.smallTag], 206), (["If-Match: *"], 206),
        (["If-Match: \"a\", " + TestSite.smallTag], 206),
        (["If-Match: \"a\""], 412), (["If-Match: W/" + TestSite.smallTag], 412),  // §13.1.1: the strong comparison
        (["If-Unmodified-Since: " + modified], 206), (["If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT"], 412),
        (["If-Unmodified-Since: nonsense"], 206),
        (["If-Match: " + TestSite.smallTag, "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT"], 206),
        (["If-Match: \"a\"", "If-None-Match: " + TestSite.smallTag], 412),
    ])
    func honoursIfMatchAndIfUnmodifiedSince(fields: [String], status: Int) async throws {
        let reply = try await reply(["Range: bytes=10-19"] + fields)
        #expect(reply.status == status)
        #expect(reply["ETag"] == TestSite.smallTag)
        if status == 412 { #expect(reply["Content-Range"] == nil && reply.body.count < 100) }
    }

    @Test func checksTagsBeforeDates() async throws {
        let reply = try await reply(["If-None-Match: \"other\"", "If-Modified-Since: \(Self.modified)"])
        #expect(reply.status == 200)
    }
}
