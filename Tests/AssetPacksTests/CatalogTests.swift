import Foundation
import PackFormat
import SystemPackage
import Testing

@testable import AssetPacks

/// Catalogs by folder, and the packs built from catalogs.
@Suite("Building")
struct CatalogTests {
    private func write(_ files: [String], in root: FilePath) throws {
        for file in files { try root.appending(file).write(file) }
    }

    /// The worked example of three packs for two tags, with Xcode's names, priorities and table.
    @Test func buildsTheWorkedExample() throws {
        try withScratch { scratch in
            let root = scratch.appending("catalog")
            try write(["a.dat", "b.dat", "c.dat", "free.dat"], in: root)
            try root.appending("tags.json").write(
                """
                {"bundle": "com.example.game", "prefetch": ["Level1", "Level2"],
                 "tags": {"Level1": ["a.dat", "c.dat"], "Level2": ["b.dat", "c.dat"]}}
                """)
            let output = scratch.appending("packs")
            let report = try AssetPackBuilder(limits: .ios2015)
                .build(Catalog(tagFile: root.appending("tags.json")), to: output)
            let hashes = [
                "0cbbfd5a182368f83190bf23d2bd5fde", "63664aa8bee7544118de87bf48d529ee",
                "9aa9a1e88e3afd974721316c3ef30f1a",
            ]
            #expect(report.packs.map(\.identifier) == hashes.map { "com.example.game.asset-pack-\($0)" })
            #expect(report.packs.map { Int(($0.priority ?? 0) * 1000 + 0.5) } == [50, 950, 950])
            #expect(report.packs.map(\.tags) == [["Level2"], ["Level1"], ["Level1", "Level2"]])
            #expect(report.bundled == ["free.dat"] && report.findings.isEmpty)
            let table = try TagTable(plist: output.appending("OnDemandResources.plist").read())
            let packs = report.packs.map(\.identifier)
            #expect(table.packsByTag == ["Level1": [packs[1], packs[2]], "Level2": [packs[0], packs[2]]])
            #expect(table.pathsByPack == [packs[0]: ["b.dat"], packs[1]: ["a.dat"], packs[2]: ["c.dat"]])
            let manifest = try AssetPackManifest(plist: output.appending("AssetPackManifest.plist").read())
            #expect(manifest.resources.map(\.bundleKey) == packs)
            #expect(
                manifest.resources[2].url
                    == "OnDemandResources/com.example.game.Level1+Level2-\(hashes[2]).assetpack")
            #expect(manifest.resources[0].primaryContentHash?.hash == "2022-01-13T08:57:30.000Z")
            try expectEachPackHolds(report, table, in: output, of: root)
        }
    }

    private func expectEachPackHolds(
        _ report: BuildReport, _ table: TagTable, in output: FilePath, of root: FilePath
    ) throws {
        for pack in report.packs {
            let unpacked = output.appending(pack.identifier)
            let file = output.appending("OnDemandResources").appending(pack.name)
            let extraction = try PackArchive.extract(file: file, into: unpacked)
            #expect(extraction.bytes == pack.uncompressedSize && pack.files == extraction.files - 1)
            #expect(try Int(pack.downloadSize ?? 0) == file.read().count)
            let info = try PackInfo(plist: unpacked.appending("Info.plist").read())
            #expect(info == PackInfo(identifier: pack.identifier, tags: pack.tags, priority: pack.priority))
            for path in table.pathsByPack[pack.identifier] ?? [] {
                #expect(try unpacked.appending(path).read() == root.appending(path).read())
            }
        }
    }

    @Test func buildsTheSameBytesAgain() throws {
        try withScratch { scratch in
            let root = scratch.appending("catalog")
            try write(["one/a", "one/deep/b", "two/c"], in: root)
            let outputs = ["x", "y"].map { scratch.appending($0) }
            for output in outputs {
                _ = try AssetPackBuilder(limits: .ios2015).build(Catalog(byFolder: root), to: output)
            }
            #expect(outputs[0].files == outputs[1].files && outputs[0].files.count == 5)
            for file in outputs[0].files where file.contains(".") {
                #expect(try outputs[0].appending(file).read() == outputs[1].appending(file).read(), "\(file)")
            }
        }
    }

    /// A changed file changes the hash of its pack alone, as in Xcode's incremental builds.
    @Test func aTouchedFileChangesItsPackAlone() throws {
        try withScratch { scratch in
            let root = scratch.appending("catalog")
            try write(["one/a", "two/b"], in: root)
            func hashes() throws -> [String: String] {
                _ = try AssetPackBuilder(limits: .ios2015).build(Catalog(byFolder: root), to: scratch.appending("x"))
                let plist = try scratch.appending("x/AssetPackManifest.plist").read()
                let resources = try AssetPackManifest(plist: plist).resources
                return Dictionary(
                    uniqueKeysWithValues: resources.map { ($0.bundleKey, $0.primaryContentHash?.hash ?? "") })
            }
            let before = try hashes()
            try root.appending("two/b").write("b", modified: 0)
            let after = try hashes()
            let two = PackNaming.identifier(bundleID: "com.example.app", tags: ["two"])
            #expect(before.filter { $0.key != two } == after.filter { $0.key != two })
            #expect(before[two] == "2022-01-13T08:57:30.000Z" && after[two] == "1970-01-01T00:00:00.000Z")
        }
    }

    @Test func writesFoldersAndPrefixes() throws {
        try withScratch { scratch in
            let root = scratch.appending("catalog")
            try write(["one/a", "free"], in: root)
            let builder = AssetPackBuilder(limits: .ios2015, form: .folder, urlPrefix: "https://x.example/get?pack=")
            for _ in 0..<2 {
                let report = try builder.build(Catalog(byFolder: root), to: scratch.appending("x"))
                let name = try #require(report.packs.first?.name)
                #expect(
                    scratch.appending("x/OnDemandResources").files == [
                        name, "\(name)/Info.plist", "\(name)/one", "\(name)/one/a",
                    ])
                let plist = try scratch.appending("x/AssetPackManifest.plist").read()
                let resource = try #require(try AssetPackManifest(plist: plist).resources.first)
                #expect(resource.url == "https://x.example/get?pack=" + name && resource.isStreamable)
                #expect(resource.downloadSize == nil && resource.sha256 == nil)
            }
        }
    }

    @Test(
        arguments: [
            ([], 0, nil), (["a"], 1, 0.5), (["a", "b"], 0, 0.95), (["b", "a"], 0, 0.05), (["b", "c", "a"], 0, 0.05),
            (["b", "a", "c", "d"], 0, 0.65), (["b", "a", "c", "d", "e"], 0, 0.725),
        ] as [([String], Int, Double?)])
    func givesPriorities(prefetch: [String], installed: Int, priority: Double?) throws {
        let catalog = Catalog(bundleID: "b", root: "/", resources: [], initialInstall: ["i"], prefetch: prefetch)
        let found = catalog.priority(of: ["a"])
        #expect(found == priority || abs((found ?? 0) - (priority ?? 0)) < 1e-12)
        #expect(catalog.priority(of: ["a", "i"]) == 1)
    }

    /// The priorities of one to five prefetched tags, as Xcode's build system computes them.
    @Test(arguments: [
        [0.5], [0.95, 0.05], [0.95, 0.5, 0.05], [0.95, 0.65, 0.35, 0.05], [0.95, 0.725, 0.5, 0.275, 0.05],
    ])
    func givesThePrioritiesOfXcode(numbers: [Double]) {
        let tags = numbers.indices.map { "tag-\($0)" }
        let catalog = Catalog(bundleID: "b", root: "/", resources: [], initialInstall: [], prefetch: tags)
        for (tag, number) in zip(tags, numbers) {
            #expect(abs((catalog.priority(of: [tag]) ?? 0) - number) < 1e-12)
            #expect(catalog.priority(of: [tag, "other"]) == catalog.priority(of: [tag]))
        }
        // A pack has the highest priority of its tags.
        #expect(catalog.priority(of: Set(tags)) == catalog.priority(of: [tags[0]]))
    }

    @Test(arguments: [
        (["a.txt"], "has no file with a tag"), ([], "has no file with a tag"), (["a:b/x"], "it has ':'"),
    ])
    func refusesFolders(files: [String], message: String) throws {
        try withScratch { scratch in
            try write(files, in: scratch)
            let error = #expect(throws: CatalogError.self) { try Catalog(byFolder: scratch) }
            #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        }
    }

    @Test func refusesLinks() throws {
        try withScratch { scratch in
            try write(["one/a"], in: scratch)
            try FileManager.default.createSymbolicLink(
                atPath: scratch.appending("one/link").string, withDestinationPath: "/etc/passwd")
            #expect(throws: CatalogError.self) { try Catalog(byFolder: scratch) }
        }
    }

    @Test(arguments: ["Info.plist", "META-INF/x", "_CodeSignature/y"])
    func refusesReservedNames(path: String) throws {
        try withScratch { scratch in
            try write([path], in: scratch.appending("c"))
            try scratch.appending("c/tags.json").write("{\"bundle\": \"b\", \"tags\": {\"t\": [\"**\"]}}")
            let catalog = try Catalog(tagFile: scratch.appending("c/tags.json"))
            let error = #expect(throws: CatalogError.self) {
                try AssetPackBuilder(limits: .ios2015).build(catalog, to: scratch.appending("x"))
            }
            #expect(error?.description.contains("packs reserve the name") == true)
            #expect(!scratch.files.contains("x/AssetPackManifest.plist"))
        }
    }
}
