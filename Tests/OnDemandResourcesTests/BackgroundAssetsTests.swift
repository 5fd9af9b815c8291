import Events
import PackFormat
import Synchronization
import Testing

@testable import ResourceLoading

/// What the client does differently for Background Assets than for On-Demand Resources.
@Suite("Background Assets", .timeLimit(.minutes(1)))
struct BackgroundAssetsTests {
    /// Both editions of the pack `a`, and others.
    private static let packs = [
        TestPack(name: "a", body: content(50_000), tags: []),
        TestPack(name: "a2", body: content(60_000, seed: 2), tags: []),
        TestPack(name: "b", body: content(30_000, seed: 3), tags: []),
        TestPack(name: "c", body: content(20_000, seed: 4), tags: []),
    ]
    private static let all = Set(AssetDownloadPolicy.Event.allCases)

    /// A manifest entry with this identifier, for the file of a pack (default: the pack of that name).
    private static func entry(
        _ id: String, file: String? = nil, version: Int = 0, _ policy: AssetDownloadPolicy = .init(.onDemand)
    ) -> AssetPackManifest.Resource {
        let body = packs.first { $0.name == file ?? id }?.body ?? []
        var entry = AssetPackManifest.Resource(
            bundleKey: id, url: "\(file ?? id).bin", isStreamable: false, uncompressedSize: Int64(body.count),
            primaryContentHash: .init(strategy: "version", hash: "\(version)"), downloadSize: Int64(body.count),
            sha256: Digest.sha256Hex(body))
        entry.policy = policy
        return entry
    }

    /// A host whose manifest a test may change, and a device.
    private func run(
        _ entries: [AssetPackManifest.Resource], capacity: Int64? = nil, limit: String? = nil,
        _ body: (Fixture, _ publish: ([AssetPackManifest.Resource]) -> Void) async throws -> Void
    ) async throws {
        let current = Mutex(entries)
        try await Fixture.run(Self.packs) { configuration in
            configuration.delivery = .backgroundAssets
            configuration.limits = .backgroundAssets
            configuration.capacity = capacity
            if let limit { try? configuration.limits.change(limit) }
            configuration.manifest = configuration.manifest.replacing("AssetPackManifest.plist", with: "manifest")
        } script: { request, _ in
            guard request.target == "/manifest" else { return nil }
            var manifest = AssetPackManifest(resources: current.withLock { $0 })
            manifest.delivery = .backgroundAssets
            return (try? manifest.plist()).map { Right.whole($0) }
        } _: { fixture in
            try await body(fixture) { entries in current.withLock { $0 = entries } }
        }
    }

    private func fetch(
        _ packs: Set<String>, for purpose: RequestPurpose = .use, on loader: ResourceLoader
    ) async -> ResourceError? {
        let request = LoaderRequest(id: "r", tags: packs, loader: loader, purpose: purpose)
        let error: ResourceError? = await withCheckedContinuation { continuation in
            do { try request.begin { continuation.resume(returning: $0) } } catch {
                continuation.resume(returning: .cancelled)
            }
        }
        try? request.end()
        return error
    }

    @Test(arguments: [
        (AssetDownloadPolicy(.essential, events: all), true, false, true, false),
        (AssetDownloadPolicy(.essential, events: [.firstInstallation]), true, false, false, false),
        (AssetDownloadPolicy(.essential, events: [.subsequentUpdate]), false, false, true, false),
        (AssetDownloadPolicy(.prefetch, events: all), false, true, false, true),
        (AssetDownloadPolicy(.prefetch, events: [.subsequentUpdate]), false, false, false, true),
        (AssetDownloadPolicy(.onDemand), false, false, false, false),
    ])
    func policiesDecideWhatIsInstalledWhen(
        policy: AssetDownloadPolicy, initial: Bool, prefetched: Bool, updated: Bool, prefetchedLater: Bool
    ) async throws {
        func plan(_ initial: Bool, _ prefetched: Bool) -> InstallPlan {
            InstallPlan(initial: initial ? ["a"] : [], prefetched: prefetched ? ["a"] : [])
        }
        try await run([Self.entry("a", policy), Self.entry("b")]) { fixture, _ in
            try await fixture.withLoader { loader in
                let first = try await loader.installPlan(at: .firstInstallation)
                #expect(first == plan(initial, prefetched))
                let later = try await loader.installPlan(at: .subsequentUpdate)
                #expect(later == plan(updated, prefetchedLater))
            }
            #expect(fixture.server.requests(for: "/OnDemandResources.plist").isEmpty)
        }
    }

    @Test func anUnknownPackIsNotFound() async throws {
        try await run([Self.entry("a")]) { fixture, _ in
            try await fixture.withLoader { loader in
                let error = await fetch(["a", "x"], on: loader)
                #expect(error?.domain == .managedAssets && error?.code == 0 && error?.message.contains("'x'") == true)
                #expect(fixture.server.requests(for: "/a.bin").isEmpty)
            }
        }
    }

    /// The stored older version stays usable until the newer one is stored and replaces it.
    @Test func keepsTheOldVersionUntilTheNewOneIsComplete() async throws {
        try await run([Self.entry("a"), Self.entry("b")]) { fixture, publish in
            try await fixture.withLoader { #expect(await fetch(["a"], on: $0) == nil) }
            publish([Self.entry("a", file: "a2", version: 1), Self.entry("b")])
            try await fixture.withLoader { loader in
                // Only stored packs are updated.
                let before = try await loader.installPlan(at: .subsequentUpdate)
                #expect(before == InstallPlan(initial: [], prefetched: ["a"]))
                #expect(await fetch(["a"], on: loader) == nil)
                #expect(fixture.server.requests(for: "/a2.bin").isEmpty)
                #expect(loader.beginIfStored(id: "c", tags: ["a"]).map(loader.end) != nil)
                // A request that holds the pack does not keep it from being replaced.
                let (held, error) = await loader.request(["a"])
                #expect(error == nil)
                #expect(await fetch(["a"], for: .prefetch, on: loader) == nil)
                loader.end(held)
                #expect(fixture.server.requests(for: "/a2.bin").count == 1)
                #expect(loader.store.storedPack("a")?.bytes == 60_000)
                let after = try await loader.installPlan(at: .subsequentUpdate)
                #expect(after == InstallPlan(initial: [], prefetched: []))
            }
        }
    }

    /// On-Demand Resources would purge the first pack.
    @Test func purgesNoPackForAnother() async throws {
        try await run([Self.entry("a"), Self.entry("b")], capacity: 70_000) { fixture, _ in
            try await fixture.withLoader { loader in
                #expect(await fetch(["a"], on: loader) == nil)
                let error = await fetch(["b"], on: loader)
                #expect(error?.domain == .cocoa && error?.code == 640 && error?.kind == .storage)
                #expect(loader.store.storedPack("a") != nil)
            }
            #expect(fixture.log.all(.purged).isEmpty && fixture.log.all(.notification).isEmpty)
        }
    }

    @Test func anAppRemovesPacks() async throws {
        try await run([Self.entry("a"), Self.entry("b")]) { fixture, publish in
            try await fixture.withLoader { loader in
                let (held, error) = await loader.request(["a"])
                #expect(error == nil)
                #expect(await fetch(["b"], on: loader) == nil)
                let areGone = try loader.remove(["a", "b", "never"])
                #expect(!areGone)
                #expect(loader.store.storedPack("a") != nil && loader.store.storedPack("b") == nil)
                loader.end(held)
                let isGone = try loader.remove(["a"])
                #expect(isGone)
                #expect(await fetch(["b"], on: loader) == nil)
            }
            publish([Self.entry("a")])
            try await fixture.withLoader { try await $0.removeObsolete() }
            let removed = fixture.log.all(.removed).map { ($0.pack ?? "", $0.bytes ?? 0) }
            #expect(removed.map(\.0) == ["b", "a", "b"] && removed.map(\.1) == [30_000, 50_000, 30_000])
        }
    }

    @Test(arguments: [
        ([ScriptedServer.Step.head(404, "Content-Length: 0")], -1008), (Right.whole(Array("{}".utf8)), -1016),
        (Right.whole(Array("<html>".utf8)), -1016),
    ])
    func aManifestThatCannotBeFetchedOrReadIsANetworkError(answer: [ScriptedServer.Step], code: Int) async throws {
        try await Fixture.run([]) {
            $0.delivery = .backgroundAssets
        } script: { _, _ in
            answer
        } _: { fixture in
            let error = try await fixture.withLoader { await fetch(["a"], on: $0) }
            #expect(error?.domain == .url && error?.code == code, "\(error?.description ?? "")")
        }
    }

    @Test(arguments: [
        (ResourceError.outOfSpace("m"), ResourceError.Domain.cocoa, 640),
        (.exceededMaximumSize("m"), .backgroundAssets, 112), (.noManifest("m"), .url, -1017),
        (.cancelled, .cocoa, 3072), (.assetPackNotFound(["a"]), .managedAssets, 0),
    ])
    func errorsHaveTheNamesOfTheirSystem(error: ResourceError, domain: ResourceError.Domain, code: Int) {
        let named = error.named(by: .backgroundAssets)
        #expect(named.domain == domain && named.code == code)
        #expect(error.named(by: .onDemandResources) == error)
    }

    @Test(
        arguments: [
            (DeviceReport.State.notDownloaded, nil, "1", [.downloadAvailable]), (.notDownloaded, nil, nil, []),
            (.downloading, nil, "1", [.downloadAvailable, .downloading]),
            (.downloaded, "1", "1", [.upToDate, .downloaded]),
            (.downloaded, "0", "1", [.updateAvailable, .outOfDate, .downloaded]),
            (.downloaded, "0", nil, [.obsolete, .downloaded]),
        ] as [(DeviceReport.State, String?, String?, [DeviceReport.Status])])
    func statusFollowsFromTheVersions(
        state: DeviceReport.State, stored: String?, offered: String?, status: [DeviceReport.Status]
    ) {
        func edition(_ version: String?) -> PackEdition? { version.map { PackEdition(contentHash: "version:\($0)") } }
        #expect(DeviceReport.status(state, edition(stored), edition(offered)) == status)
    }

    @Test func anExceededAllowanceHasItsOwnError() async throws {
        try await run([Self.entry("a")], limit: "initial-install=49999") { fixture, _ in
            let error = try await fixture.withLoader { await fetch(["a"], for: .install, on: $0) }
            #expect(error?.domain == .backgroundAssets && error?.code == 112)
        }
    }
}
