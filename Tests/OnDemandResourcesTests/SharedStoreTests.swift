import Foundation
import Glibc
import Synchronization
import SystemPackage
import Testing

@testable import PackFormat
@testable import ResourceLoading

/// A store that several processes use: none purges what another holds, and each sees the others' changes.
@Suite(.timeLimit(.minutes(1)))
struct SharedStoreTests {
    static let packs = ["a", "b", "c"].map {
        TestPack(name: $0, body: content(40_000, seed: UInt64($0.utf8.first ?? 0)), tags: [$0])
    }

    private func holding(_ tag: String) -> String {
        #"{"steps": [{"request": {"id": "held", "tags": ["\#(tag)"]}}, {"sleep": 60}]}"#
    }

    /// A client that holds a tag's packs until it is killed.
    private func holder(_ tag: String, _ fixture: Fixture) async throws -> ClientProcess {
        let file = fixture.folder.appending("\(tag).json").string
        try Data(holding(tag).utf8).write(to: URL(fileURLWithPath: file))
        let client = try ClientProcess(fixture.configuration, ["--workload", file])
        #expect(await client.reaches("available"))
        return client
    }

    @Test func packsOfAProcessMayGoOnceItDies() async throws {
        try await Fixture.run(Self.packs) {
            $0.capacity = 80_000
        } script: { _, _ in
            nil
        } _: { fixture in
            let other = try await holder("a", fixture)
            try await fixture.expect(nil, "b")
            // a was used before b, and would be purged first.
            try await fixture.expect(nil, "c")
            #expect(fixture.stored(Self.packs[0]) != nil && fixture.stored(Self.packs[1]) == nil)
            try await fixture.expect(4992, "b", "c")
            let report = try DeviceReport(fixture.configuration.store)
            #expect(report.entries.map(\.state) == [.inUse, .purged, .downloaded])
            #expect(report.users.count == 1)
            other.signal(SIGKILL)
            #expect(await other.finish().bySignal)
            #expect(try DeviceReport(fixture.configuration.store).entries[0].state == .downloaded)
            try await fixture.expect(nil, "b", "c")
            #expect(fixture.stored(Self.packs[0]) == nil)
        }
    }

    /// A process that holds packs is notified each time another finds no room, but not of earlier cases.
    @Test(arguments: [nil, "com.example.other"])
    func notifiesHoldersOfPacksOfLowSpace(bundle: String?) async throws {
        try await Fixture.run(Self.packs) {
            $0.capacity = 60_000
            $0.bundle = bundle
        } script: { _, _ in
            nil
        } _: { fixture in
            let own = bundle == nil ? [] : ["--bundle", "com.example.holder"]
            let file = fixture.folder.appending("a.json").string
            try Data(holding("a").utf8).write(to: URL(fileURLWithPath: file))
            let first = try ClientProcess(fixture.configuration, ["--workload", file] + own)
            #expect(await first.reaches("available"))
            let name = ResourceLoader.lowDiskSpaceNotification
            for count in 1...2 {
                try await fixture.expect(4992, "b")
                #expect(fixture.log.count(.notification) { $0.name = name } == count)
                #expect(await first.reaches("notification"))
            }
            let late = try ClientProcess(fixture.configuration, ["--workload", file] + own)
            #expect(await late.reaches("available"))
            for client in [first, late] { client.signal(SIGTERM) }
            #expect(await !first.finish().names.contains("notification"))
            #expect(await !late.finish().names.contains("notification"))
        }
    }

    @Test func theInUseLimitCountsOverProcesses() async throws {
        try await Fixture.run(Self.packs) {
            $0.limits = Limits(name: "tiny", source: "test", [.inUse: 79_999])
        } script: { _, _ in
            nil
        } _: { fixture in
            let other = try await holder("a", fixture)
            let error = try await fixture.request("b")
            #expect(error?.code == 4993)
            #expect(error?.message.contains("process \(other.identifier) 40000 bytes") == true, "\(error as Any)")
            // A pack that two processes use counts once.
            try await fixture.expect(nil, "a")
            other.signal(SIGKILL)
            _ = await other.finish()
            try await fixture.expect(nil, "b")
        }
    }

    /// A pack counts with its stated size or its real size, whichever is larger, in every process.
    @Test func aPackAboveTheSharedLimitIsRefusedOnceStored() async throws {
        let liar = TestPack(name: "liar", body: content(50_000), tags: ["liar"], hasSize: false, storedSize: 10)
        try await Fixture.run(Self.packs + [liar]) {
            $0.limits = Limits(name: "tiny", source: "test", [.inUse: 89_999])
        } script: { _, _ in
            nil
        } _: { fixture in
            let other = try await holder("a", fixture)
            try await fixture.expect(4993, "liar")
            other.signal(SIGKILL)
            _ = await other.finish()
            try await fixture.expect(nil, "liar")
        }
    }

    @Test func aPackCountsWithTheSizeItsUserStates() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("store")
            let (one, two) = (try PackStore(root), try PackStore(root))
            try await one.fill("p")
            try one.want(["p", "q"], sizes: ["p": 70, "q": 20])
            try two.want([])
            #expect(two.wantedElsewhere.map(\.bytes) == [["p": 70, "q": 20]])
            one.setWanted(["p"])
            try two.want([])
            #expect(two.wantedElsewhere.map(\.bytes) == [["p": 70]])
        }
    }

    @Test func eachStoreSeesTheChangesOfTheOther() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("store")
            let (one, two) = (try PackStore(root, capacity: 10), try PackStore(root, capacity: 10))
            let file = one.layout.temporary.appending("download")
            try Data("12345".utf8).write(to: URL(fileURLWithPath: file.string))
            let pack = CatalogPack(
                identifier: "p", url: "http://host/p", tags: ["t"], edition: .init(), storedSize: 5, downloadSize: 5,
                fileName: "file")
            _ = try await one.publish(one.unpack(file, as: pack))
            try two.want(["p"])
            #expect(two.storedPack("p") != nil)
            one.setPreservation(0.5, of: "t")
            two.setPreservation(0.25, of: "u")
            try one.want([])
            #expect(one.preservation(of: "u") == 0.25 && two.preservation(of: "t") == 0.5)
            // Room reserved by one process is not free for the other, and packs that the other holds stay.
            guard try one.reserve(["q": 6], keeping: []).missing == 1 else { throw Errno.noSpace }
            guard try two.reserve(["q": 5], keeping: []).missing == 0 else { throw Errno.noSpace }
            guard try one.reserve(["r": 5], keeping: []).missing == 5 else { throw Errno.noSpace }
            two.close()
            let relief = try one.reserve(["r": 10], keeping: [])
            guard relief.missing == 0 else { throw Errno.noSpace }
            #expect(relief.purges.map(\.pack) == ["p"])
        }
    }

    /// Packs that were used at the same moment differ only in size.
    @Test func theLargerOfThoseUsedTogetherGoesFirst() async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"), capacity: 100)
            try await store.fill("a", "1")
            try await store.fill("b", String(repeating: "1", count: 50))
            store.note(pinned: [], used: ["a", "b"])
            let relief = try store.reserve(["q": 60], keeping: [])
            guard relief.missing == 0 else { throw Errno.noSpace }
            #expect(relief.purges.map(\.pack) == ["b"])
        }
    }

    /// A report shows one moment: it waits until a change is complete.
    @Test func aReportWaitsForAChange() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("store")
            let store = try PackStore(root)
            let gate = try FileLock(store.layout.gate)
            gate.lock(.exclusive)
            let isDone = Mutex(false)
            async let report = BlockingWork.run {
                defer { isDone.withLock { $0 = true } }
                return try? DeviceReport(root)
            }
            try await Task.sleep(for: .milliseconds(300))
            #expect(!isDone.withLock { $0 })
            gate.unlock()
            #expect(await report?.users == [Int(getpid())])
        }
    }

    @Test func isNotResetWhileItIsUsed() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("store")
            let (first, second) = (try PackStore(root), try PackStore(root))
            let error = #expect(throws: StoreError.self) { try PackStore.reset(root) }
            #expect(error?.description.contains("Process \(getpid()), \(getpid()) uses") == true)
            first.close()
            #expect(throws: StoreError.self) { try PackStore.reset(root) }
            second.close()
            #expect(throws: Never.self) { try PackStore.reset(root) }
        }
    }

    @Test func aFolderThatIsNoStoreIsRefused() async throws {
        try await Fixture.run(Self.packs) { fixture in
            try Data("mine".utf8).write(to: URL(fileURLWithPath: fixture.folder.appending("thesis").string))
            var configuration = fixture.configuration
            configuration.store = fixture.folder
            let result = try await ClientProcess(configuration, ["a"]).finish()
            #expect(result.status == 70)
            #expect(result.errors.contains("is not a store"), "\(result.errors)")
            #expect(result.events.last?.number("status") == 70)
        }
    }
}
