import PackFormat
import PackHost
import Testing

@testable import PackHost

/// Which responses a fault applies to.
@Suite("Scope of faults")
struct FaultScopeTests {
    @Test(arguments: [
        ("*", "/packs/small.assetpack", true), ("*", "/AssetPackManifest.plist", true),
        ("red", "/packs/small.assetpack", true), ("square", "/packs/small.assetpack", true),
        ("com.example.small.assetpack", "/packs/small.assetpack", true),
        ("small.assetpack", "/packs/small.assetpack", true), ("small", "/packs/small.assetpack", false),
        ("red", "/packs/other", false), ("red", "/AssetPackManifest.plist", false),
        ("manifest", "/AssetPackManifest.plist", true), ("manifest", "/packs/other", false),
        ("AssetPackManifest.plist", "/AssetPackManifest.plist", true), ("tag-table", "/OnDemandResources.plist", true),
    ])
    func concernsAPack(name: String, path: String, isConcerned: Bool) async throws {
        let fault = HostFault(pack: name, action: .status(503, retryAfter: nil))
        let reply = try await TestSite.with(files: ["other": [1, 2]], faults: [fault]) { site in
            try await site.host { try await RawClient.exchange($0.port, get(path)) }.0
        }
        #expect(reply.status == (isConcerned ? 503 : 200))
    }

    @Test(arguments: [("1", [503, 200, 200, 200]), ("2-3", [200, 503, 503, 200]), ("3-", [200, 200, 503, 503])])
    func concernsATry(tries: String, statuses: [Int]) async throws {
        let fault = try HostFault(parsing: "try=\(tries) status=503")
        let replies = try await TestSite.with(files: ["other": [1, 2]], faults: [fault]) { site in
            try await site.host { host in
                var replies: [Int] = []
                for _ in statuses {
                    _ = try await RawClient.exchange(host.port, get("/packs/other"))  // counted separately
                    replies.append(try await RawClient.exchange(host.port, get()).status)
                }
                return replies
            }.0
        }
        #expect(replies == statuses)
    }

    @Test(arguments: [
        ("from=500", [206, 503, 206, 503, 200]), ("from=500 try=1", [206, 503, 206, 206, 200]),
        ("from=500 try=2-", [206, 206, 206, 503, 200]), ("from=-500", [206, 206, 503, 206, 200]),
        ("from=0", [503, 206, 206, 206, 200]),
    ])
    func concernsARange(scope: String, statuses: [Int]) async throws {
        let fault = try HostFault(parsing: "\(scope) status=503")
        let ranges = ["bytes=0-499", "bytes=500-999", "bytes=-500", "bytes=500-", nil]
        let replies = try await TestSite.with(faults: [fault]) { site in
            try await site.host { host in
                var replies: [Int] = []
                for range in ranges {
                    let fields = range.map { ["Range: \($0)"] } ?? []
                    replies.append(try await RawClient.exchange(host.port, get(fields: fields)).status)
                }
                return replies
            }.0
        }
        #expect(replies == statuses)
    }

    @Test func leavesBodiesOfHEADAlone() async throws {
        let faults = [try HostFault(parsing: "cut@10"), try HostFault(parsing: "corrupt@5")]
        let (reply, events) = try await TestSite.with(faults: faults) { site in
            try await site.host { try await RawClient.exchange($0.port, get("/packs/small.assetpack", "HEAD")) }
        }
        #expect(reply.status == 200)
        #expect(reply["Content-Length"] == "1000")
        #expect(events.decisions.isEmpty)
    }

    @Test func aHEADIsNotCountedAsATry() async throws {
        let fault = try HostFault(parsing: "try=1 status=503")
        let statuses = try await TestSite.with(faults: [fault]) { site in
            try await site.host { host in
                var statuses: [Int] = []
                for method in ["HEAD", "HEAD", "GET", "HEAD", "GET"] {
                    statuses.append(
                        try await RawClient.exchange(host.port, get("/packs/small.assetpack", method)).status)
                }
                return statuses
            }.0
        }
        #expect(statuses == [200, 200, 503, 200, 200])
    }

    @Test func countsEveryRequestOnceWhenManyComeAtATime() async throws {
        let fault = try HostFault(parsing: "try=7 status=503")
        let (statuses, events) = try await TestSite.with(faults: [fault]) { site in
            try await site.host { host in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<16 {
                        group.addTask { try await RawClient.exchange(host.port, get()).status }
                    }
                    return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
                }
            }
        }
        #expect(statuses == [200: 15, 503: 1])
        let numbers = events.compactMap { if case .request(let request) = $0.kind { request.number } else { nil } }
        #expect(numbers.sorted() == Array(1...16))
    }

    @Test func refusesAFaultThatCannotBePlayed() async throws {
        let injected = HostFault(pack: "*", action: .redirect(to: "/\r\nSet-Cookie: a=b", status: 302))
        await #expect(throws: HostError.self) {
            try await TestSite.with(faults: [injected]) { site in try await withPackHost(site.configuration) { _ in } }
        }
    }
}
