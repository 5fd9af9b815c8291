import PackFormat
import Synchronization
import Testing

@testable import ResourceLoading

/// Packs that come with an app, packs that the system prefetches, and the limits on both.
@Suite(.timeLimit(.minutes(1)))
struct InstallTests {
    private let packs = [
        TestPack(name: "menu", body: content(50_000), tags: ["menu"], priority: 1),
        TestPack(name: "shared", body: content(30_000, seed: 2), tags: ["menu", "extra"], priority: 1),
        TestPack(name: "first", body: content(20_000, seed: 3), tags: ["level-1"], priority: 0.95),
        TestPack(name: "music", body: content(10_000, seed: 4), tags: ["music"], priority: 0.05),
        TestPack(name: "second", body: content(40_000, seed: 5), tags: ["level-2", "extra"]),
    ]

    @Test func prioritiesDecideWhatIsInstalledWhen() async throws {
        try await Fixture.run(packs) { fixture in
            let plan = try await fixture.withLoader { try await $0.installPlan() }
            // One pack of 'extra' comes with the app, the other does not.
            #expect(plan == InstallPlan(initial: ["menu"], prefetched: ["level-1", "music"]))
        }
    }

    @Test func withoutACatalogThereIsNoPlan() async throws {
        try await Fixture.run(packs, script: { _, _ in [.head(404, "Content-Length: 0")] }) { fixture in
            let error = await #expect(throws: ResourceError.self) {
                try await fixture.withLoader { try await $0.installPlan() }
            }
            #expect(error?.code == 4994)
        }
    }

    /// Exactly the limit is allowed; one byte more fails before anything is fetched.
    @Test(arguments: [
        (LoaderConfiguration.Radio.cellular, "cellular-install=80000", nil as Int?),
        (.cellular, "cellular-install=79999", -1020),
        (.wifi, "cellular-install=79999", nil),
        (.wifi, "initial-install=80000", nil),
        (.wifi, "initial-install=79999", 4993),
        // Packs that come with the app do not count as in use.
        (.wifi, "in-use=10", nil),
    ])
    func anInstallHasItsOwnLimits(_ radio: LoaderConfiguration.Radio, _ limit: String, _ code: Int?) async throws {
        try await Fixture.run(
            packs,
            configure: { configuration in
                configuration.radio = radio
                try? configuration.limits.change(limit)
            }, script: { _, _ in nil }
        ) { fixture in
            let error = try await fixture.withLoader { loader in
                await Self.fetch(["menu"], for: .install, on: loader)
            }
            #expect(error?.code == code, "\(error?.description ?? "no error")")
            #expect(error.map { $0.message.contains("80000 bytes") } ?? true)
            #expect(fixture.server.requests(for: "/menu.bin").isEmpty == (code != nil))
        }
    }

    @Test func storedPacksDoNotCountAgainstTheCellularLimit() async throws {
        try await Fixture.run(
            packs,
            configure: { configuration in
                configuration.radio = .cellular
                try? configuration.limits.change("cellular-install=30000")
            }, script: { _, _ in nil }
        ) { fixture in
            try await fixture.withLoader { loader in
                #expect(await Self.fetch(["menu"], for: .install, on: loader)?.code == -1020)
                loader.setRadio(.wifi)
                #expect(await Self.fetch(["extra"], for: .use, on: loader) == nil)
                #expect(await Self.fetch(["menu"], for: .use, on: loader) == nil)
                loader.setRadio(.cellular)
                #expect(await Self.fetch(["menu"], for: .install, on: loader) == nil)
            }
        }
    }

    /// The limit counts the app's own bytes too: exactly at the limit, and one byte more.
    @Test(arguments: [(Int64(0), nil), (70_000, nil), (70_001, -1020)])
    func theAppItselfCountsOverACellularNetwork(_ appSize: Int64, _ code: Int?) async throws {
        let menu = TestPack(name: "menu", body: content(30_000), tags: ["menu"], priority: 1)
        try await Fixture.run(
            [menu],
            configure: { configuration in
                configuration.radio = .cellular
                configuration.appSize = appSize
                try? configuration.limits.change("cellular-install=100000")
            }, script: { _, _ in nil }
        ) { fixture in
            try await fixture.withLoader { loader in
                #expect(await Self.fetch(["menu"], for: .install, on: loader)?.code == code)
            }
        }
    }

    @Test func prefetchedPacksAreNotInUse() async throws {
        try await Fixture.run(
            packs, configure: { try? $0.limits.change("in-use=50000") }, script: { _, _ in nil }
        ) { fixture in
            try await fixture.withLoader { loader in
                let system = LoaderRequest(id: "prefetch-1", tags: ["level-1"], loader: loader, purpose: .prefetch)
                #expect(await Self.begin(system) == nil)
                let app = LoaderRequest(id: "app", tags: ["level-2"], loader: loader)
                #expect(await Self.begin(app) == nil)
                #expect(app.packs == ["second"])
                let more = LoaderRequest(id: "more", tags: ["level-1"], loader: loader)
                #expect(await Self.begin(more)?.code == 4993)
                withExtendedLifetime(system) {}
            }
        }
    }

    @Test(arguments: [(LoaderConfiguration.Radio.none, -1009), (.cellular, -1020)])
    func aWaitingRequestFailsWhenTheNetworkIsGone(_ radio: LoaderConfiguration.Radio, _ code: Int) async throws {
        let tries = Mutex(0)
        try await Fixture.run(
            packs, configure: { $0.allowsCellular = false },
            script: { request, pack in
                guard let pack,
                    tries.withLock({
                        $0 += 1; return $0
                    }) == 1
                else { return nil }
                return [.head(200, "Content-Length: 40000"), .send(Array(pack.body.prefix(9_000))), .stall]
            }
        ) { fixture in
            try await fixture.withLoader { loader in
                let outcome = Mutex<ResourceError?>(nil)
                let request = LoaderRequest(id: "r", tags: ["level-2"], loader: loader)
                await withCheckedContinuation { continuation in
                    try? request.begin { error in
                        outcome.withLock { $0 = error }
                        continuation.resume()
                    }
                    Task {
                        await fixture.log.next {
                            $0.kind == .response && $0.pack == "second"
                        }
                        loader.setRadio(radio)
                    }
                }
                #expect(outcome.withLock { $0?.code } == code)
                loader.setRadio(.wifi)
                #expect(await Self.fetch(["level-2"], for: .use, on: loader) == nil)
            }
        }
    }

    private static func begin(_ request: LoaderRequest) async -> ResourceError? {
        await withCheckedContinuation { continuation in
            do { try request.begin { continuation.resume(returning: $0) } } catch {
                continuation.resume(returning: .cancelled)
            }
        }
    }

    private static func fetch(
        _ tags: Set<String>, for purpose: RequestPurpose, on loader: ResourceLoader
    ) async -> ResourceError? {
        let request = LoaderRequest(id: "r", tags: tags, loader: loader, purpose: purpose)
        let error = await begin(request)
        try? request.end()
        return error
    }
}
