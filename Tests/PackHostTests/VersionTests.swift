import PackFormat
import SystemPackage
import Testing

@testable import PackHost

/// Versions of packs on a host without strong ETags, and how long responses may be cached.
@Suite("Versions without a strong ETag")
struct VersionTests {
    /// Replies to a first request, and to requests whose fields are made from the first reply.
    private func replies(_ notation: [String], _ fields: @escaping @Sendable (Reply) -> [[String]]) async throws
        -> [Reply]
    {
        let faults = try notation.map { try HostFault(parsing: $0) }
        return try await TestSite.with(faults: faults) { site in
            try await site.host { host in
                var replies = [try await RawClient.exchange(host.port, get(), finish: true)]
                for fields in fields(replies[0]) {
                    replies.append(try await RawClient.exchange(host.port, get(fields: fields), finish: true))
                }
                return replies
            }.0
        }
    }

    @Test(arguments: [(false, 206), (true, 200)])
    func aDateDistinguishesEditions(isChanged: Bool, status: Int) async throws {
        let replies = try await replies(["no-etag"] + (isChanged ? ["try=1 changed-content=+1"] : [])) {
            [["Range: bytes=10-19", "If-Range: \($0["Last-Modified"] ?? "")"]]
        }
        #expect(replies.allSatisfy { $0["ETag"] == nil && $0["Last-Modified"] != nil })
        #expect(replies[1].status == status)
        #expect(replies[1].body == (isChanged ? TestSite.small : Array(TestSite.small[10..<20])))
        // The older version comes first, so requests with If-Modified-Since get the right answer, too.
        let dates = replies.compactMap {
            $0["Last-Modified"].flatMap { HTTPDate(parsing: $0, now: .init(secondsSinceEpoch: 0)) }
        }
        #expect(dates.count == 2 && (isChanged ? dates[0] < dates[1] : dates[0] == dates[1]))
    }

    private static let versions: [[String]] = [
        [], ["changed-etag"], ["changed-content=+0"], ["changed-content=+1"], ["changed-size=+1"], ["changed-size=-1"],
        ["leading-zeros=4"], ["changed-content=+0", "leading-zeros=4"], ["changed-content=+0", "changed-etag"],
        ["encoding=gzip"], ["encoding=br"], ["changed-content=+0", "encoding=gzip"],
    ]

    @Test func eachVersionHasATagOfItsOwn() async throws {
        var tags: [String] = []
        for version in Self.versions {
            let reply = try await replies(version) { _ in [] }[0]
            tags.append(reply["ETag"] ?? "")
            #expect((reply["Content-Encoding"] == nil) == (reply["Last-Modified"] != nil))
        }
        #expect(Set(tags).count == Self.versions.count, "\(tags)")
        #expect(tags.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") && $0.count > 2 })
    }

    @Test(arguments: versions.filter { !$0.isEmpty }, versions)
    func aPartOfAnotherVersionIsNotSent(first: [String], second: [String]) async throws {
        // A part is never encoded, so the coding makes no other version of it.
        guard first != second.filter({ !$0.hasPrefix("encoding") }) else { return }
        let replies = try await replies(first.map { "try=1 " + $0 } + second.map { "try=2 " + $0 }) {
            [["Range: bytes=10-19", "If-Range: \($0["ETag"] ?? "")"]]
        }
        #expect(replies.map(\.status) == [200, 200])
    }

    @Test func eachKindOfChangeHasADateOfItsOwn() async throws {
        let versions = Self.versions.filter { version in
            !version.contains { $0.hasPrefix("encoding") || ["changed-content=+0", "changed-size=-1"].contains($0) }
        }
        var dates: Set<String> = []
        for version in versions {
            dates.insert(try await replies(["no-etag"] + version) { _ in [] }[0]["Last-Modified"] ?? "")
        }
        #expect(versions.count == 5 && dates.count == 5 && !dates.contains(""), "\(dates)")
    }

    @Test func editionsShareAWeakETag() async throws {
        let replies = try await replies(["weak-etag", "try=1 changed-content=+1"]) {
            let range = "Range: bytes=10-19"
            return [
                [range], [range, "If-Range: \($0["ETag"] ?? "")"], [range, "If-Range: \(TestSite.smallTag)"],
                [range, "If-Range: W/\"another\""],
            ]
        }
        #expect(replies.map { $0["ETag"] } == Array(repeating: "W/" + TestSite.smallTag, count: 5))
        #expect(replies.allSatisfy { $0["Last-Modified"] == nil })
        // A weak tag in If-Range is compared as text, as nginx does.
        #expect(replies.map(\.status) == [200, 206, 206, 200, 200])
    }

    @Test(arguments: ["status=404", "redirect=/a", "late-head=1ms"])
    func everyResponseStatesItsCacheControl(other: String) async throws {
        let replies = try await replies([#"try=1 cache-control="max-age=1""#, "try=1 " + other]) { _ in [[]] }
        #expect(replies.map { $0["Cache-Control"] } == ["max-age=1", nil])
    }
}
