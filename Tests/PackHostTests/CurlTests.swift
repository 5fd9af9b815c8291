import Glibc
import PackFormat
import PackHost
import SystemPackage
import Testing

@testable import PackHost

/// How a real client handles the host's responses.
@Suite("curl", .timeLimit(.minutes(1)))
struct CurlTests {
    @Test func resumesAfterACut() async throws {
        let large = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        let fault = try HostFault(parsing: "pack=large try=1 cut@654321")
        let (result, events) = try await TestSite.with(files: ["large": large], faults: [fault]) { site in
            let file = site.folder.appending("fetched").string
            defer { unlink(file) }
            return try await site.host { host in
                let url = "\(host.url)/packs/large"
                #expect(try await Curl.run(url, "--output", file).status == 18)  // CURLE_PARTIAL_FILE
                #expect(try await Curl.run(url, "--output", file, "--continue-at", "-").status == 0)
                return try await Curl.run("file://\(file)")
            }
        }
        #expect(result.output == large)
        #expect(events.decisions == ["L1 GET /packs/large from=0 try=1 cut@654321"])
        #expect(events.transfers.map(\.from) == [0, 654_321])
        #expect(events.transfers.map(\.handed) == [654_321, 345_679])
    }

    @Test(arguments: [
        ("reset", "cut@500 rst", 56), ("empty", "cut@0 rst", 56), ("short body", "wrong-length=+100", 18),
        ("no head", "no-head", 28),
    ])
    func failsAsItShould(name: String, fault: String, status: Int32) async throws {
        let result = try await TestSite.with(faults: [try HostFault(parsing: fault)]) { site in
            try await site.host {
                let limit = status == 28 ? "0.3" : "10"
                return try await Curl.run(
                    "\($0.url)/packs/small.assetpack", "--max-time", limit, "--output", "/dev/null")
            }.0
        }
        #expect(result.status == status)
    }

    /// Blocks of both lengths, with one corrupted byte among them.
    @Test(arguments: ["gzip", "br"])
    func decodesEachContentCoding(coding: String) async throws {
        let large = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
        let faults = try ["encoding=\(coding)", "corrupt@70000"].map { try HostFault(parsing: "pack=large \($0)") }
        let result = try await TestSite.with(files: ["large": large], faults: faults) { site in
            try await site.host { try await Curl.run("--compressed", "\($0.url)/packs/large") }
        }.0
        var expected = large
        expected[70_000] ^= 1
        #expect(result.status == 0 && result.output == expected)
    }

    @Test func followsARedirectAndReusesItsConnection() async throws {
        let fault = try HostFault(parsing: "pack=red try=1 redirect=/AssetPackManifest.plist")
        let (result, events) = try await TestSite.with(faults: [fault]) { site in
            try await site.host { try await Curl.run("--location", "\($0.url)/packs/small.assetpack") }
        }
        #expect(result.text == "<manifest/>")
        #expect(Set(events.map(\.connection)) == [1])
    }

    @Test func retriesAfterRetryAfter() async throws {
        let fault = try HostFault(parsing: "pack=manifest try=1 status=503 retry-after=1s")
        let result = try await TestSite.with(faults: [fault]) { site in
            try await site.host { try await Curl.run("--retry", "1", "\($0.url)/AssetPackManifest.plist") }.0
        }
        #expect(result.text.hasSuffix("<manifest/>"))
    }
}
