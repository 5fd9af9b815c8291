import Foundation
import PackFormat
import ResourceLoading
import Synchronization
import SystemPackage
import Testing

/// Manifests and tag tables that cannot be fetched: an install or an update then fails, and what is stored stays
/// usable.
@Suite(.timeLimit(.minutes(1)))
struct FailedManifestTests {
    private static let manifest = "/AssetPackManifest.plist"
    private let menu = TestPack(name: "menu", body: content(50_000), tags: ["menu"], priority: 1)

    private func run(_ steps: String, _ fixture: Fixture, _ options: [String] = []) async throws -> ClientResult {
        let file = fixture.folder.appending("workload.json").string
        try Data("{\"steps\": [\(steps)]}".utf8).write(to: URL(fileURLWithPath: file))
        return try await ClientProcess(fixture.configuration, ["--workload", file] + options).finish()
    }

    /// The second try would find the manifest.
    @Test func anInstallWithoutItsManifestFails() async throws {
        try await Fixture.run([menu]) { request, _ in
            request.target == Self.manifest && request.number == 1 ? [.head(404, "Content-Length: 0")] : nil
        } _: { fixture in
            let result = try await run(#"{"install": true}, {"launch": true}"#, fixture)
            #expect(result.status == 1)
            #expect(result.first("error")?.text("id") == "install" && result.first("error")?.number("code") == 4994)
            #expect(!result.names.contains("available") && !result.names.contains("launch"))
            #expect(result.names.contains("ended"))
            #expect(fixture.server.requests(for: Self.manifest).count == 1)
        }
    }

    @Test(arguments: [("", -1013), (#"{"radio": "none"}, "#, -1009)], [[], ["--background-assets"]])
    func anUpdateDoesNotUseTheOldManifest(step: (String, Int), options: [String]) async throws {
        var managed = Fixture.manifest([menu])
        managed.delivery = .backgroundAssets
        (managed.resources[0].isStreamable, managed.resources[0].primaryContentHash) = (
            false, .init(strategy: AssetPackManifest.versionStrategy, hash: "0")
        )
        managed.resources[0].policy = .init(.essential, events: Set(AssetDownloadPolicy.Event.allCases))
        let download = try managed.plist()
        try await Fixture.run([menu]) { request, _ in
            if request.target == "/new" { return [.head(401, "Content-Length: 0")] }
            return request.target == Self.manifest && !options.isEmpty ? Right.whole(download) : nil
        } _: { fixture in
            let update = #"{"update": "\#(fixture.server.url("/new"))"}"#
            let steps = #"{"install": true}, \#(step.0)\#(update), {"launch": true}"#
            let result = try await run(steps, fixture, options)
            #expect(result.status == 1)
            #expect(result.first("error")?.text("id") == "update" && result.first("error")?.number("code") == step.1)
            #expect(!result.names.contains("launch"))
            #expect(fixture.stored(menu) == menu.body)
        }
    }

    /// A new manifest lists another edition of the pack, and the tag table that belongs to it is missing.
    @Test func aManifestAloneReplacesNothing() async throws {
        var other = menu
        other.body = content(60_000, seed: 2)
        let next = try Fixture.manifest([other]).plist()
        let isNew = Mutex(false)
        try await Fixture.run([menu]) { request, _ in
            guard isNew.withLock({ $0 }) else { return nil }
            switch request.target {
            case Self.manifest: return Right.whole(next)
            case "/OnDemandResources.plist": return [.head(401, "Content-Length: 0")]
            default: return nil
            }
        } _: { fixture in
            try await fixture.expect(nil, "menu")
            isNew.withLock { $0 = true }
            try await fixture.expect(nil, "menu")
            var offline = fixture
            offline.configuration.radio = .none
            try await offline.expect(nil, "menu")
            #expect(fixture.server.requests(for: menu.target).count == 1)
        }
    }

    @Test func withoutANetworkTheLastTagTableOfABundledManifestIsUsed() async throws {
        try await Fixture.run([menu]) { fixture in
            var contents = Fixture.manifest([menu])
            contents.resources[0].url = fixture.server.url(menu.target)
            let file = fixture.folder.appending("m.plist").string
            try Data(contents.plist()).write(to: URL(fileURLWithPath: file))
            var bundled = fixture
            bundled.configuration.manifest = file
            bundled.configuration.tagTable = .url(fixture.server.url("/OnDemandResources.plist"))
            var offline = bundled
            offline.configuration.radio = .none
            try await offline.expect(-1009, "menu")
            #expect(fixture.server.requests.isEmpty)
            try await bundled.expect(nil, "menu")
            try await offline.expect(nil, "menu")
            #expect(fixture.server.requests.count == 2)
        }
    }
}
