import Foundation
import PackFormat
import SystemPackage
import Testing
import Wording

@testable import ResourceLoading

/// The store on a real disk: one owner, no partial packs, and notes that may be lost.
struct StoreTests {
    private func write(_ text: String, to path: FilePath) throws {
        let folder = path.removingLastComponent().string
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path.string))
    }

    private func pack(_ name: String) -> CatalogPack {
        CatalogPack(
            identifier: name, url: "http://host/\(name)", tags: ["t"], edition: .init(sha256: "00"), storedSize: 5,
            downloadSize: 5, fileName: "file")
    }

    /// Puts a plain pack into a store.
    private func fill(_ store: PackStore, _ name: String, _ text: String = "12345") async throws {
        let file = store.layout.temporary.appending("download")
        try write(text, to: file)
        _ = try await store.publish(store.unpack(file, as: pack(name)))
    }

    @Test func leavesTheFoldersOfOthersAlone() async throws {
        try await withTemporaryFolder { folder in
            try write("mine", to: folder.appending("packs").appending("thesis.txt"))
            #expect(throws: StoreError.self) { try PackStore(folder) }
            #expect(throws: StoreError.self) { try PackStore.reset(folder) }
            #expect(throws: StoreError.self) { try DeviceReport(folder) }
            #expect(FileManager.default.fileExists(atPath: folder.appending("packs/thesis.txt").string))
        }
    }

    @Test func clearsWhatACrashLeftBehind() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("store")
            _ = try PackStore(root)
            let layout = StoreLayout(root: root)
            try write("half", to: layout.temporary.appending("p.new.7").appending("file"))
            try write("bytes without a note", to: layout.partials.appending("a.part"))
            try write("{\"a note without bytes\"", to: layout.partials.appending("b.json"))
            try write("what is this", to: layout.partials.appending("stray"))
            let store = try PackStore(root)
            #expect(try FileSystem.entries(of: layout.temporary).isEmpty)
            #expect(try FileSystem.entries(of: layout.partials).isEmpty)
            #expect(store.stored == 0)
        }
    }

    @Test func aDownloadWhosePackIsStoredIsCleared() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("store")
            var store: PackStore? = try PackStore(root)
            try await fill(#require(store), "p")
            // A thread that worked for the store may not have released it yet.
            store?.close()
            store = nil
            // The state after a kill once the pack became visible, before its download was removed.
            let partial = StoreLayout(root: root).partial(of: "p")
            try partial.write(PartialNote(pack: "p", edition: pack("p").edition, validator: nil, total: 5))
            try write("12345", to: partial.data)
            #expect(try PackStore(root).stored == 5)
            #expect(partial.size == 0)
        }
    }

    @Test func aStoreMayBeReachedByALink() async throws {
        try await withTemporaryFolder { folder in
            let real = folder.appending("real")
            let link = folder.appending("link")
            try FileManager.default.createDirectory(atPath: real.string, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: link.string, withDestinationPath: real.string)
            let store = try PackStore(link)
            try await fill(store, "p")
            // A thread that worked for the store may not have released it yet.
            store.close()
            #expect(try PackStore(real).storedPack("p") != nil)
        }
    }

    enum Damage: String, CaseIterable { case index, note, both, noteOfAnother }

    @Test(arguments: Damage.allCases)
    func damagedNotesAreMadeAgainFromTheFolders(damage: Damage) async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("store")
            let layout = StoreLayout(root: root)
            var store: PackStore? = try PackStore(root)
            try await fill(#require(store), "a pack/with a name")
            store?.note(pinned: [])
            // A thread that worked for the store may not have released it yet.
            store?.close()
            store = nil
            let note = layout.folder(of: "a pack/with a name").appending(StoreLayout.noteName)
            if damage != .index { try write("{", to: note) }
            if damage == .index || damage == .both { try write("nonsense", to: layout.index) }
            if damage == .noteOfAnother {
                try write(#"{"version":1,"pack":"other","bytes":9,"tags":[],"edition":{}}"#, to: note)
            }
            let again = try PackStore(root)
            let stored = try #require(again.storedPack("a pack/with a name"))
            #expect(stored.bytes >= 5)
            #expect(again.storedPack("other") == nil)
        }
    }

    @Test func anotherEditionReplacesThePack() async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"))
            try await fill(store, "p", "12345")
            try await fill(store, "p", "abcde")
            let file = store.folder(of: "p").appending("file")
            #expect(FileManager.default.contents(atPath: file.string) == Data("abcde".utf8))
            #expect(store.stored == 5)
            #expect(store.storedPack("p", .init(sha256: "11")) == nil)
            #expect(try FileSystem.entries(of: store.layout.temporary).map(\.string) == ["download"])
        }
    }

    @Test func anArchiveThatIsNoneLeavesNothing() async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"))
            let file = store.layout.temporary.appending("download")
            try write("<html>", to: file)
            var archive = pack("p")
            archive.fileName = nil
            let failure = await #expect(throws: DownloadFailure.self) { try await store.unpack(file, as: archive) }
            #expect(failure?.kind == .wrongContent)
            #expect(try FileSystem.entries(of: store.layout.temporary).map(\.string) == ["download"])
            #expect(store.storedPack("p") == nil)
        }
    }

    /// An archive that unpacks to 4,128,001 bytes is accepted if the manifest states at least a tenth of that.
    @Test(arguments: [(Int64(5), false), (412_800, false), (2_000_000, true), (4_128_001, true), (.max, true)])
    func anArchiveThatUnpacksToFarMoreThanStatedIsRefused(told: Int64, isTaken: Bool) async throws {
        try await withTemporaryFolder { folder in
            let store = try PackStore(folder.appending("store"))
            let file = store.layout.temporary.appending("download")
            try Data(DeflatedZip.archive(runs: 16_000)).write(to: URL(fileURLWithPath: file.string))
            var archive = pack("p")
            (archive.fileName, archive.storedSize) = (nil, told)
            guard !isTaken else {
                #expect(try await store.unpack(file, as: archive).stored.bytes == 4_128_001)
                return
            }
            let failure = await #expect(throws: DownloadFailure.self) { try await store.unpack(file, as: archive) }
            #expect(failure?.kind == .wrongContent && failure?.detail.contains("it unpacks to more than") == true)
            #expect(try FileSystem.entries(of: store.layout.temporary).map(\.string) == ["download"])
        }
    }

    /// Names as URLs have them: a slash stays a slash with a combining mark behind it.
    @Test(arguments: [
        ("a%20b", "a b"), ("..%2Fx", "content"), ("%2E%2E%2F%CC%81x", "content"), ("x%2F%CC%81", "content"),
    ])
    func aFileCannotLeaveItsPack(name: String, stored: String) throws {
        let manifest = AssetPackManifest(resources: [
            .init(bundleKey: "p", url: name, isStreamable: true, uncompressedSize: 1)
        ])
        let table = TagTable(packsByTag: ["t": ["p"]], pathsByPack: [:])
        let catalog = try ResourceCatalog(
            manifest: manifest.plist(), tagTable: table.plist(), base: "http://host.example/manifest")
        #expect(try catalog.packs(for: ["t"]).map(\.fileName) == [stored])
    }

    @Test(arguments: [
        ("com.example.game.asset-pack-0cbb", "com.example.game.asset-pack-0cbb"),
        ("../../etc", "%2E.%2F..%2Fetc"),
        ("..", "%2E."),
        (".hidden", "%2Ehidden"),
        ("a/b", "a%2Fb"),
        ("ü", "%C3%BC"),
        ("100%", "100%25"),
    ])
    func namesCannotLeaveTheirFolder(pack: String, name: String) {
        #expect(StoreLayout.name(of: pack) == name)
        #expect(PercentEncoding.decoded(name) == pack)
    }

    @Test func longNamesAreCutAndStayApart() {
        let long = String(repeating: "x", count: 500)
        let names = [long, long + "y"].map(StoreLayout.name(of:))
        #expect(names.allSatisfy { $0.utf8.count <= 200 })
        #expect(names[0] != names[1])
        #expect(!StoreLayout.name(of: "").isEmpty)
    }

    @Test func decodingKeepsInvalidEscapes() {
        #expect(PercentEncoding.decoded("%+f%4 %G1%") == "%+f%4 %G1%")
    }

    @Test func showsStatesAsXcodeDoes() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("store")
            var store: PackStore? = try PackStore(root)
            try await fill(#require(store), "held")
            try await fill(#require(store), "idle")
            try await fill(#require(store), "gone")
            _ = try store?.purgeAll(keeping: ["held", "idle"])
            store?.note(pinned: ["held"])
            store?.setWanted(["held", "begun"])
            let partial = try #require(store).layout.partial(of: "begun")
            try partial.write(PartialNote(pack: "begun", edition: .init(), validator: "\"e\"", total: 9))
            try write("1234", to: partial.data)
            func states() throws -> [String: DeviceReport.State] {
                let entries = try DeviceReport(root).entries
                return Dictionary(uniqueKeysWithValues: entries.map { ($0.pack, $0.state) })
            }
            // Two packs of 5 bytes, and 4 bytes of a download; purged packs take no room.
            #expect(try DeviceReport(root).usage == 14)
            #expect(try states() == ["held": .inUse, "idle": .downloaded, "gone": .purged, "begun": .downloading])
            // A thread that worked for the store may not have released it yet.
            store?.close()
            store = nil
            #expect(
                try states() == [
                    "held": .downloaded, "idle": .downloaded, "gone": .purged, "begun": .partiallyDownloaded,
                ])
            try PackStore.reset(root)
            #expect(try FileSystem.entries(of: root).isEmpty)
        }
    }

    @Test func theLeastPreservedIsPurgedFirstAcrossRuns() async throws {
        try await withTemporaryFolder { folder in
            let root = folder.appending("store")
            var store: PackStore? = try PackStore(root)
            for name in ["a", "b"] { try await fill(#require(store), name) }
            store?.note(pinned: [], used: ["b"])
            store?.note(pinned: [], used: ["a"])
            // A thread that worked for the store may not have released it yet.
            store?.close()
            store = nil
            // b was used longest ago, and that order outlived its process.
            let again = try PackStore(root, capacity: 10)
            let relief = try again.reserve(["c": 5], keeping: [])
            #expect(relief.missing == 0, "there is room once one pack is gone")
            #expect(relief.purges.map(\.pack) == ["b"])
            #expect(relief.needed == 5 && relief.freed == 5)
        }
    }
}
