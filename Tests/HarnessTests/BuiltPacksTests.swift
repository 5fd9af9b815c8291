import Evidence
import FoundationEssentials
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// A store of packs that are built once and used again.
struct BuiltPacksTests {
    private final class Ground {
        let folder: FilePath
        var store: BuiltPacks { BuiltPacks(folder: folder.appending("store"), toolVersion: "1") }
        let catalog: FilePath

        init() throws {
            folder = FilePath(FileManager.default.temporaryDirectory.path).appending("packs-\(UUID().uuidString)")
            catalog = folder.appending("catalog")
            try FileManager.default.createDirectory(
                atPath: catalog.appending("level-1").string, withIntermediateDirectories: true)
            try write("level-1/map", "here")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder.string) }

        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(filePath: catalog.appending(name).string))
        }
    }

    @Test func theKeyDependsOnContentKindAndVersion() throws {
        let ground = try Ground()
        let catalog = Content.Catalog.byFolder(ground.catalog)
        let key = try ground.store.key(of: catalog, nil)
        #expect(try ground.store.key(of: catalog, nil) == key)
        #expect(try BuiltPacks(folder: ground.folder, toolVersion: "2").key(of: catalog, nil) != key)
        #expect(try ground.store.key(of: .backgroundAssets(ground.catalog), nil) != key)
        #expect(try ground.store.key(of: .builtIn("shapes"), nil) != ground.store.key(of: .builtIn("film"), nil))
        try ground.write("level-1/map", "there")
        #expect(try ground.store.key(of: catalog, nil) != key)
        try ground.write("level-1/map", "here")
        #expect(try ground.store.key(of: catalog, nil) == key)
        try ground.write("level-1/key", "")
        #expect(try ground.store.key(of: catalog, nil) != key)
    }

    @Test func aCatalogIsBuiltOnceAndUsedAgain() async throws {
        let ground = try Ground()
        let text = """
            scenario: a
            catalog: {folder: \(ground.catalog), tags: by-folder}
            link: {profile: 3g}
            workload: [{request: {tags: [level-1]}}]
            expect: available
            """
        let file = ground.folder.appending("a.yaml")
        try Data(text.utf8).write(to: URL(filePath: file.string))
        let loader = ScenarioLoader(profiles: Bench.profiles)
        let cell = try #require(try loader.load(file).first?.cells.first)
        func prepared(_ number: Int, _ store: BuiltPacks?) throws -> PreparedContent? {
            let scratch = ground.folder.appending("scratch-\(number)")
            return try ContentStore(scratch: scratch, packs: store).prepare(cell)
        }
        let built = try prepared(1, nil)
        let stored = try prepared(2, ground.store)
        let place = ground.folder.appending("store")
        let names = try FileManager.default.contentsOfDirectory(atPath: place.string)
        #expect(names.count == 1 && !names[0].hasPrefix("."), "\(names)")
        let pack = place.appending(names[0]).appending("packs")
        let before = try FileManager.default.attributesOfItem(atPath: pack.string)[.modificationDate] as? Date
        let again = try prepared(3, ground.store)
        #expect(built?.digest == stored?.digest && stored?.digest == again?.digest && built?.digest != nil)
        #expect(try FileManager.default.attributesOfItem(atPath: pack.string)[.modificationDate] as? Date == before)
        #expect(!FileManager.default.fileExists(atPath: ground.folder.appending("scratch-3").string))
    }

    @Test func aStoreThatCannotBeWrittenIsSkipped() throws {
        let ground = try Ground()
        // A file is where the folder would be.
        try Data().write(to: URL(filePath: ground.folder.appending("store").string))
        #expect(try ground.store.keep("k") { _ in 0 } == nil)
        #expect(try ground.store.packs(named: "k") == nil)
    }
}
