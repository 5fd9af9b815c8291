import Foundation
import PackFormat
import SystemPackage
import Testing

@testable import ResourceLoading

/// A file system that fills up during a download or an unpack, and what is stored afterwards.
@Suite(.sideBySide, .timeLimit(.minutes(2)))
struct FullStorageTests {
    private static let megabyte = 1 << 20
    private let small = TestPack(name: "small", body: content(200_000, seed: 3), tags: ["small"])

    /// What a refused request reports: its code, its text, and the number of low-space notifications.
    private struct Refusal {
        var code: Int?
        var underlying: Int?
        var message: String
        var notifications: Int
    }

    private func refusal(_ loader: ResourceLoader, _ log: EventLog, _ tag: String) async -> Refusal {
        let (key, error) = await loader.request([tag], id: tag)
        loader.end(key)
        let notices = log.count(.notification) { $0.name = ResourceLoader.lowDiskSpaceNotification }
        return Refusal(
            code: error?.code, underlying: error?.underlying?.code, message: error?.message ?? "",
            notifications: notices)
    }

    /// A host with these packs, and a device whose store is on that disk.
    private func run(
        _ packs: [TestPack], on disk: SmallDisk, _ body: (Fixture) async throws -> Void
    ) async throws {
        try await Fixture.run(
            packs, configure: { $0.store = disk.root.appending("store") }, script: { _, _ in nil }, body)
    }

    @Test func keepsPartialBytesOnAFullDisk() async throws {
        let big = TestPack(name: "big", body: content(3 * Self.megabyte), tags: ["big"])
        // 2 MiB are free: the small pack fits, the large one stops on its way.
        try await SmallDisk.with(bytes: 6 * Self.megabyte, ballast: 4 * Self.megabyte) { disk in
            try await run([small, big], on: disk) { fixture in
                try await fixture.withLoader { loader in
                    let (pinned, none) = await loader.request(["small"], id: "small")
                    #expect(none == nil)
                    let full = await refusal(loader, fixture.log, "big")
                    #expect(full.code == 4992 && full.underlying == 28, "\(full.message)")
                    #expect(full.message.contains("big.part"), "\(full.message)")
                    #expect(full.notifications == 1)
                    #expect(FileSystem.status(of: loader.store.folder(of: "big")) == nil)
                    try expectSmall(loader)
                    let kept = loader.store.layout.partial(of: "big").size
                    #expect(kept > 0 && kept < big.body.count)

                    try disk.makeRoom()
                    let (key, error) = await loader.request(["big"], id: "again")
                    #expect(error == nil, "\(error?.message ?? "")")
                    #expect(fixture.log.fetches(of: "big").last == kept)
                    let file = loader.store.folder(of: "big").appending("big.bin")
                    #expect(FileManager.default.contents(atPath: file.string) == Data(big.body))
                    loader.end(key)
                    loader.end(pinned)
                }
            }
        }
    }

    @Test func aFullDiskDuringAnUnpackKeepsTheArchive() async throws {
        try await withTemporaryFolder { folder in
            var host = RealHost(folder: folder)
            try host.add(.init(name: "small", bytes: 200_000))
            try host.add(.init(name: "big", bytes: 3_000_000, files: 30))
            // 5 MiB are free: the archive fits, but not all of its unpacked files.
            try await SmallDisk.with(bytes: 9 * Self.megabyte, ballast: 4 * Self.megabyte) { disk in
                let log = EventLog()
                try await host.serve { manifest in
                    let configuration = LoaderConfiguration(manifest: manifest, store: disk.root.appending("store"))
                    let loader = try ResourceLoader(configuration) { log.add($0) }
                    let (pinned, none) = await loader.request(["small"], id: "small")
                    #expect(none == nil)
                    let full = await refusal(loader, log, "big")
                    #expect(full.code == 4992 && full.underlying == 28, "\(full.message)")
                    #expect(
                        full.message.contains("is complete") && full.message.contains("unpack"), "\(full.message)")
                    #expect(full.notifications == 1)
                    let layout = loader.store.layout
                    #expect(FileSystem.status(of: layout.folder(of: "big")) == nil)
                    #expect(try FileSystem.entries(of: layout.temporary).isEmpty)
                    #expect(loader.store.storedPack("small") != nil)

                    try disk.makeRoom()
                    let (key, error) = await loader.request(["big"], id: "again")
                    #expect(error == nil, "\(error?.message ?? "")")
                    #expect(log.fetches(of: "big") == [0])
                    let bytes = try FileSystem.totalSize(of: layout.folder(of: "big").appending("files"))
                    #expect(bytes > 2_999_000)
                    loader.end(key)
                    loader.end(pinned)
                    await loader.close()
                }
            }
        }
    }

    private func expectSmall(_ loader: ResourceLoader) throws {
        let file = loader.store.folder(of: "small").appending("small.bin")
        #expect(FileManager.default.contents(atPath: file.string) == Data(small.body))
    }

    /// The disk has no room even for a process's claim: the store purges unpinned packs for it.
    @Test func unusedPacksArePurgedForAClaim() async throws {
        let old = TestPack(name: "old", body: content(100_000), tags: ["old"])
        let many = (0..<100).map { number in
            let name = String(repeating: "n", count: 80) + "\(number)"
            return TestPack(name: name, body: content(100), tags: ["many"])
        }
        try await SmallDisk.with(bytes: 6 * Self.megabyte, ballast: 0) { disk in
            try await run(many + [old], on: disk) { fixture in
                try await fixture.expect(nil, "old")
                try await fixture.expect(nil, "many")
                try await fixture.withLoader { loader in
                    // Writes the entry and the catalog while there is room.
                    let (first, _) = await loader.request(["old"], id: "first")
                    loader.end(first)
                    try disk.fill()
                    let (key, error) = await loader.request(["many"], id: "many")
                    #expect(error == nil, "\(error?.message ?? "")")
                    #expect(fixture.log.count(.purged) { ($0.pack, $0.bytes) = ("old", 100_000) } == 1)
                    // If nothing can be purged, the error is a lack of room.
                    try disk.fill()
                    let all = await refusal(loader, fixture.log, "old")
                    #expect(all.code == 4992 && all.notifications == 1, "\(all.message)")
                    loader.end(key)
                }
            }
        }
    }

    /// A request notifies once, even if several packs find no room, or find it after the callback.
    @Test func aRequestNotifiesOnce() async throws {
        let packs = (UInt64(1)...4).map { number in
            TestPack(name: "p\(number)", body: content(3 * Self.megabyte, seed: number), tags: ["all"])
        }
        try await SmallDisk.with(bytes: 6 * Self.megabyte, ballast: 4 * Self.megabyte) { disk in
            try await run(packs, on: disk) { fixture in
                try await fixture.withLoader { loader in
                    #expect(await refusal(loader, fixture.log, "all").code == 4992)
                }
                // The loader is closed, so all transfers have ended.
                #expect(fixture.log.count(.notification) { $0.name = ResourceLoader.lowDiskSpaceNotification } == 1)
            }
        }
    }

    /// The store purges unpinned packs when the file system is full, and then the request succeeds.
    @Test func unusedPacksArePurgedForARequest() async throws {
        let big = TestPack(name: "big", body: content(2_500_000), tags: ["big"])
        let old = TestPack(name: "old", body: content(1_500_000), tags: ["old"])
        try await SmallDisk.with(bytes: 3 * Self.megabyte, ballast: 0) { disk in
            try await run([old, big], on: disk) { fixture in
                try await fixture.expect(nil, "old")
                try await fixture.expect(nil, "big")
                #expect(fixture.log.count(.purged) { ($0.pack, $0.bytes) = ("old", 1_500_000) } == 1)
                #expect(fixture.log.all(.notification).isEmpty)
            }
        }
    }
}
