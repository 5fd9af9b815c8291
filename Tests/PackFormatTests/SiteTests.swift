import Foundation
import PackFormat
import SystemPackage
import Testing

/// What a host serves from a folder.
@Suite("Sites")
struct SiteTests {
    private static let name = "com.example.game.level 1-00.assetpack"
    private static let archive = RawZip(["a": "1"]).bytes

    /// Writes a folder with one pack, whose manifest entry `change` may edit.
    private func packs(
        in scratch: FilePath, at folder: String = "OnDemandResources",
        _ change: (inout AssetPackManifest.Resource) -> Void = { _ in }
    ) throws -> FilePath {
        let site = scratch.appending("site")
        try site.appending(folder).appending(Self.name).write(Self.archive)
        var resource = AssetPackManifest.Resource(
            bundleKey: "com.example.game.asset-pack-00", url: "OnDemandResources/\(URLText.encoded(Self.name))",
            isStreamable: true, uncompressedSize: 4)
        change(&resource)
        try site.appending(Site.manifestName).write(AssetPackManifest(resources: [resource]).plist())
        return site
    }

    @Test(arguments: [
        ("OnDemandResources/com.example.game.level%201-00.assetpack", "/OnDemandResources/"),
        ("com.example.game.level%201-00.assetpack", "/"),
        ("/a/b/com.example.game.level%201-00.assetpack", "/a/b/"),
        ("https://packs.example.com/v2/com.example.game.level%201-00.assetpack", "/v2/"),
        ("https://packs.example.com:8443/com.example.game.level%201-00.assetpack?signature=a/b#c", "/"),
        ("http://127.0.0.1/Users/me/Build/com.example.game.level%201-00.assetpack", "/Users/me/Build/"),
    ])
    func packsAreServedWhereTheManifestSays(url: String, path: String) throws {
        try withScratch { scratch in
            let folder = try packs(in: scratch) { $0.url = url }
            let site = try Site.load(directory: folder)
            #expect(site.packs.map(\.path) == [path + "com.example.game.level%201-00.assetpack"])
            #expect(site.packs[0].file == folder.appending("OnDemandResources").appending(Self.name))
            #expect(site.packs[0].size == Int64(Self.archive.count))
            #expect(site.packs[0].sha256 == Digest.sha256Hex(Self.archive))
            #expect(site.manifest == (try folder.appending(Site.manifestName).read()))
            #expect(site.tagTable == nil)
            #expect(site.packs[0].tags.isEmpty)
        }
    }

    @Test func tagsComeFromTheTable() throws {
        try withScratch { scratch in
            let folder = try packs(in: scratch, at: ".")
            let key = "com.example.game.asset-pack-00"
            let table = TagTable(packsByTag: ["b": [key], "a": [key], "c": ["another"]], pathsByPack: [:])
            try folder.appending(Site.tagTableName).write(table.plist())
            let site = try Site.load(directory: folder)
            #expect(site.packs[0].tags == ["a", "b"])
            #expect(site.tagTable == (try table.plist()))
        }
    }

    /// An export of Xcode's has archives and their manifest; the tag table is in the app.
    @Test func tagsComeFromThePacksWithoutATable() throws {
        try withScratch { scratch in
            let folder = try packs(in: scratch)
            let key = "com.example.game.asset-pack-00"
            let info = try PackInfo(identifier: key, tags: ["b", "é"]).plist()
            _ = try PackArchive.write(
                [
                    PackArchive.Item(path: "Info.plist", content: .bytes(info), modified: 0),
                    PackArchive.Item(path: "a/ü.bin", content: .bytes([1]), modified: 0),
                ], to: folder.appending("OnDemandResources").appending(Self.name))
            let site = try Site.load(directory: folder)
            #expect(site.packs[0].tags == ["b", "é"])
            #expect(try TagTable(plist: #require(site.tagTable)).packsByTag == ["b": [key], "é": [key]])
        }
    }

    @Test(arguments: [
        "..", "OnDemandResources/..", "a%2Fb", "https://packs.example.com/", "nowhere.assetpack", "%2e%2e",
    ])
    func anAddressWithoutAFileIsRefused(url: String) throws {
        try withScratch { scratch in
            let folder = try packs(in: scratch) { $0.url = url }
            #expect(throws: PackFormatError.self) { try Site.load(directory: folder) }
        }
    }

    @Test(
        arguments: [
            (5, nil, "it has \(archive.count) bytes, but the manifest says 5"),
            (Int64(archive.count), String(repeating: "0", count: 64), "its SHA-256 differs from the manifest's"),
        ] as [(Int64, String?, String)])
    func aChangedFileIsRefused(size: Int64, digest: String?, reason: String) throws {
        try withScratch { scratch in
            let folder = try packs(in: scratch) { ($0.downloadSize, $0.sha256) = (size, digest) }
            let error = #expect(throws: PackFormatError.self) { try Site.load(directory: folder) }
            #expect(error?.description.contains(reason) == true)
        }
    }

    @Test func aLinkIsNotFollowed() throws {
        try withScratch { scratch in
            let folder = try packs(in: scratch)
            let pack = folder.appending("OnDemandResources").appending(Self.name).string
            try FileManager.default.removeItem(atPath: pack)
            try FileManager.default.createSymbolicLink(atPath: pack, withDestinationPath: "/etc/passwd")
            #expect(throws: PackFormatError.self) { try Site.load(directory: folder) }
            #expect(throws: PackFormatError.self) { try Site.files(directory: folder) }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func aNamedPipeDoesNotBlock() throws {
        try withScratch { scratch in
            let folder = try packs(in: scratch)
            let pack = folder.appending("OnDemandResources").appending(Self.name).string
            try FileManager.default.removeItem(atPath: pack)
            #expect(mkfifo(pack, 0o600) == 0)
            #expect(throws: PackFormatError.self) { try Site.load(directory: folder) }
            #expect(throws: PackFormatError.self) { try Site.files(directory: folder) }
        }
    }

    @Test func aFolderCannotBeServed() throws {
        try withScratch { scratch in
            let folder = try packs(in: scratch)
            let pack = folder.appending("OnDemandResources").appending(Self.name)
            try FileManager.default.removeItem(atPath: pack.string)
            try pack.appending("Info.plist").write([1])
            let error = #expect(throws: PackFormatError.self) { try Site.load(directory: folder) }
            #expect(error?.description.contains("it is a folder") == true)
        }
    }

    @Test func aManifestMustBeThere() throws {
        try withScratch { scratch in
            #expect(throws: PackFormatError.self) { try Site.load(directory: scratch) }
            #expect(throws: PackFormatError.self) { try Site.load(directory: scratch.appending("none")) }
        }
    }

    @Test func plainFilesAreSeparatePacks() throws {
        try withScratch { scratch in
            for name in ["b.bin", "a/ü 1.bin", ".hidden", "a/.hidden", ".git/x"] {
                try scratch.appending(name).write(Array(name.utf8))
            }
            let site = try Site.files(directory: scratch)
            #expect(site.packs.map(\.identifier) == ["a/ü 1.bin", "b.bin"])
            #expect(site.packs.map(\.path) == ["/a/%C3%BC%201.bin", "/b.bin"])
            let table = try TagTable(plist: site.tagTable ?? [])
            #expect(table.packs(for: ["a/ü 1.bin", "b.bin"]) == ["a/ü 1.bin", "b.bin"])
            let manifest = try AssetPackManifest(plist: site.manifest)
            #expect(manifest.resource(for: "b.bin")?.url == "b.bin")
            #expect(manifest.resource(for: "b.bin")?.downloadSize == 5)
        }
    }

    @Test func aFolderWithoutFilesIsRefused() throws {
        try withScratch { scratch in
            let error = #expect(throws: PackFormatError.self) { try Site.files(directory: scratch) }
            #expect(error == .badSite(scratch, reason: "it has no files"))
        }
    }
}
