import Foundation
import Glibc
import PackFormat
import SystemPackage
import Testing

@testable import ResourceLoading

/// Several bundles on one device: each has its own store, and all share the capacity.
@Suite(.timeLimit(.minutes(1)))
struct SharedDeviceTests {
    private static let packs = ["a", "b", "c"].map {
        TestPack(name: $0, body: content(40_000, seed: UInt64($0.utf8.first ?? 0)), tags: [$0])
    }

    private func run(_ body: (Fixture) async throws -> Void) async throws {
        try await Fixture.run(Self.packs) {
            $0.capacity = 80_000
        } script: { _, _ in
            nil
        } _: { fixture in
            try await body(fixture)
        }
    }

    private func of(_ bundle: String, _ fixture: Fixture) -> Fixture {
        var fixture = fixture
        fixture.configuration.bundle = bundle
        return fixture
    }

    /// The stored packs, by bundle.
    private func stored(_ fixture: Fixture) throws -> [String: [String]] {
        let stores = try PackStore.stores(in: fixture.configuration.store)
        return try Dictionary(
            uniqueKeysWithValues: stores.map { store in
                let entries = try DeviceReport(store.root).entries.filter { $0.stored > 0 }
                return (store.bundle ?? "", entries.map(\.pack))
            })
    }

    @Test func bundlesHaveStoresOfTheirOwnAndCompeteForTheRoom() async throws {
        try await run { fixture in
            let (one, two) = (of("com.example.one", fixture), of("com.example.two", fixture))
            try await one.expect(nil, "a")
            try await two.expect(nil, "a")
            #expect(fixture.server.requests(for: "/a.bin").count == 2, "what one has fetched is not the other's")
            #expect(try stored(fixture) == ["com.example.one": ["a"], "com.example.two": ["a"]])
            // The least recently used pack of all bundles goes: no app runs but the one that requests.
            try await two.expect(nil, "b")
            #expect(try stored(fixture) == ["com.example.one": [], "com.example.two": ["a", "b"]])
            #expect(two.log.count(.purged) { ($0.pack, $0.bytes, $0.bundle) = ("a", 40_000, "com.example.one") } == 1)
            // The other bundle's own report shows the purge, too.
            let report = try DeviceReport(
                DeviceLayout(root: fixture.configuration.store).store(of: "com.example.one").root)
            #expect(report.entries.first { $0.pack == "a" }?.state == .purged)
            try await one.expect(nil, "c")
            #expect(try stored(fixture) == ["com.example.one": ["c"], "com.example.two": ["b"]])
        }
    }

    @Test func aRunningAppKeepsItsUnusedPacksLonger() async throws {
        try await run { fixture in
            let (one, two) = (of("one", fixture), of("two", fixture))
            try await one.withLoader { loader in
                let (key, error) = await loader.request(["a"])
                #expect(error == nil)
                loader.end(key)
                try await two.expect(nil, "a")
                // Two's pack was used after one's, but two does not run, so its pack goes.
                let file = fixture.folder.appending("three.json").string
                try Data(#"{"steps": [{"request": {"id": "r", "tags": ["b"]}}, {"sleep": 60}]}"#.utf8)
                    .write(to: URL(fileURLWithPath: file))
                let arguments = ["--bundle", "three", "--capacity", "80000", "--workload", file]
                let three = try ClientProcess(of("three", fixture).configuration, arguments)
                #expect(await three.reaches("available"))
                #expect(try stored(fixture) == ["one": ["a"], "two": [], "three": ["b"]])
                // One runs, and three holds its pack: only one's own pack can go, which is too little for two new
                // packs.
                let (second, refused) = await loader.request(["b", "c"])
                #expect(refused?.code == 4992)
                loader.end(second)
                let (third, granted) = await loader.request(["c"])
                #expect(granted == nil)
                loader.end(third)
                #expect(try stored(fixture) == ["one": ["c"], "two": [], "three": ["b"]])
                three.signal(SIGKILL)
                _ = await three.finish()
            }
        }
    }

    @Test func reservationsOfAnotherBundleTakeRoom() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("device")
            let one = try PackStore(root, bundle: "one", capacity: 10)
            let two = try PackStore(root, bundle: "two", capacity: 10)
            guard try one.reserve(["p": 6], keeping: []).missing == 0 else { throw Errno.noSpace }
            guard try two.reserve(["p": 5], keeping: []).missing == 1 else { throw Errno.noSpace }
            guard try two.reserve(["p": 4], keeping: []).missing == 0 else { throw Errno.noSpace }
            one.close()
            guard try two.reserve(["q": 6], keeping: []).missing == 0 else { throw Errno.noSpace }
        }
    }

    @Test func aDeviceIsNoStoreAndAStoreNoDevice() async throws {
        try await withTemporaryFolder { folder in
            let (device, store) = (folder.appending("device"), folder.appending("store"))
            _ = try PackStore(device, bundle: "../../one", capacity: nil)
            #expect(try PackStore.stores(in: device).map(\.bundle) == ["../../one"])
            #expect(throws: StoreError.self) { try PackStore(device) }
            _ = try PackStore(store)
            #expect(throws: StoreError.self) { try PackStore(store, bundle: "one") }
            for store in try PackStore.stores(in: device) { try PackStore.reset(store.root) }
            try PackStore.resetDevice(device)
            #expect(try FileSystem.entries(of: device).isEmpty)
        }
    }

    @Test func usesOfSeveralBundlesCanBeCompared() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("device")
            let (one, two) = (try PackStore(root, bundle: "one"), try PackStore(root, bundle: "two"))
            one.note(pinned: [], used: ["a", "b"])
            one.note(pinned: [], used: ["c"])
            two.note(pinned: [], used: ["a"])
            one.note(pinned: [], used: ["b"])
            func lastUse(_ store: PackStore, _ pack: String) -> Int {
                store.inventory.withLock { $0.index.packs[pack]?.lastUse ?? 0 }
            }
            let order = [lastUse(one, "a"), lastUse(one, "c"), lastUse(two, "a"), lastUse(one, "b")]
            #expect(order == order.sorted() && Set(order).count == 4, "\(order)")
        }
    }
}
