import PackFormat
import PackHost
import Testing

@testable import PackHost

/// Changed packs, and portal pages instead of packs, as seen on the wire.
@Suite("Changed packs")
struct ChangedPackTests {
    private let small = TestSite.small

    /// One exchange with a host that plays the faults in `notation`.
    private func exchange(_ notation: String..., request: String = get()) async throws -> (Reply, [HostEvent]) {
        let faults = try notation.map { try HostFault(parsing: $0) }
        return try await TestSite.with(faults: faults) { site in
            // Without `finish`, a connection that stays open would be read until the client's deadline.
            try await site.host { try await RawClient.exchange($0.port, request, finish: true) }
        }
    }

    @Test(arguments: [("+50", 1050), ("-50", 950), ("-5000", 0)])
    func changesTheSize(difference: String, size: Int) async throws {
        let (reply, events) = try await exchange("changed-size=\(difference)", request: get(connection: "keep-alive"))
        #expect(reply.status == 200)
        #expect(reply["Content-Length"] == "\(size)")
        #expect(reply["ETag"] == "\"changed-0-0-\(size)-" + TestSite.smallTag.dropFirst())
        #expect(reply.body == (small + Array(repeating: 0, count: 50)).prefix(size).map { $0 })
        #expect(events.decisions == ["L1 GET /packs/small.assetpack from=0 try=1 changed-size=\(difference)"])
    }

    @Test func changesTheContentBetweenTries() async throws {
        let fault = try HostFault(parsing: "try=2- changed-content=+3")
        let changed = (small + [0, 0, 0]).map { $0 ^ 0x5A }
        try await TestSite.with(faults: [fault]) { site in
            _ = try await site.host { host in
                let first = try await RawClient.exchange(host.port, get())
                #expect(first.body == small)
                let tag = try #require(first["ETag"])
                let fields = ["Range: bytes=998-", "If-Range: \(tag)"]
                let second = try await RawClient.exchange(host.port, get(fields: fields))
                #expect(second.status == 200, "it is another file now")
                #expect(second.body == changed)
                let part = try await RawClient.exchange(host.port, get(fields: [fields[0]]))
                #expect(part["Content-Range"] == "bytes 998-1002/1003")
                #expect(part.body == Array(changed[998...]))
            }
        }
    }

    /// A manifest, which is in memory, changes as a file does, and other faults apply to the changed bytes.
    @Test func changesAManifestInMemory() async throws {
        let (reply, _) = try await exchange(
            "pack=manifest changed-content=+2", "pack=manifest cut@12", request: get("/AssetPackManifest.plist"))
        #expect(reply["Content-Length"] == "13")
        #expect(reply.body == Array("<manifest/>\0".utf8).map { $0 ^ 0x5A })
    }

    @Test func redirectsToThePortalPage() async throws {
        let fault = try HostFault(parsing: "pack=red portal=\"<p>Sign in</p>\"")
        try await TestSite.with(faults: [fault]) { site in
            let (_, events) = try await site.host { host in
                let reply = try await RawClient.exchange(host.port, get())
                #expect(reply.status == 302)
                let place = try #require(reply["Location"])
                let page = try await RawClient.exchange(host.port, get(place))
                #expect(page.status == 200 && page["Content-Type"] == "text/html" && page.text == "<p>Sign in</p>")
                #expect(try await RawClient.exchange(host.port, get(place + "0")).status == 404)
            }
            #expect(events.decisions.count == 1)
        }
    }
}
