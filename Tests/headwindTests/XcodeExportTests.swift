import Foundation
import PackFormat
import PackHost
import SystemPackage
import Testing

@testable import headwind

/// An export of Xcode is hosted and requested unchanged.
@Suite("Exports of Xcode", .sideBySide, .timeLimit(.minutes(2)))
struct XcodeExportTests {
    private static let packs = [
        XcodeExport.Pack(
            tag: "levels",
            files: [("levels/1/map.bin", Array(repeating: 7, count: 300_000)), ("levels/Ünï.txt", [1, 2])]),
        XcodeExport.Pack(tag: "music & more", files: [("calm.caf", Array(repeating: 9, count: 70_000))]),
    ]

    private func withScratch(_ body: (FilePath) async throws -> Void) async throws {
        let scratch = FilePath(NSTemporaryDirectory()).appending("headwind-export-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: scratch.string) }
        try FileManager.default.createDirectory(atPath: scratch.string, withIntermediateDirectories: true)
        try await body(scratch)
    }

    static let exports: [XcodeExport] = [
        XcodeExport(packs: packs),
        XcodeExport(packs: packs, format: .xml),
        XcodeExport(packs: packs, form: .folder),
        XcodeExport(
            packs: packs,
            extra: [
                "downloadSize": 5, "effectivePriority": 0.5, "when": Date(timeIntervalSince1970: 0), "x": Data([1]),
            ]),
        XcodeExport(packs: packs, form: .folder, manifestName: "AssetPackManifestTemplate.plist", strategy: "sha256"),
    ]

    @Test(arguments: exports.indices)
    func isHostedAndRequestedUnchanged(index: Int) async throws {
        try await withScratch { scratch in
            let export = scratch.appending("export")
            try Self.exports[index].write(to: export)
            let before = try Self.contents(of: export)
            let site = try ServedFolder(path: export, isOfFiles: false, archives: scratch.appending("archives")).site()
            let store = scratch.appending("store")
            try await withPackHost(HostConfiguration(site: site)) { host in
                for pack in Self.packs {
                    try await RequestCommand.parse([pack.tag, "--packs-url", host.url, "--store", store.string]).run()
                }
            }
            let stored = try Self.contents(of: store)
            for (path, bytes) in Self.packs.flatMap(\.files) {
                #expect(stored.contains { $0.key.hasSuffix("/" + path) && $0.value == bytes }, "\(path)")
            }
            #expect(!stored.keys.contains { $0.contains("_CodeSignature") || $0.contains("META-INF") })
            #expect(try Self.contents(of: export) == before)
            try await PackCheckCommand.parse([export.string]).run()
            try await PackShowCommand.parse([export.string]).run()
        }
    }

    /// Addresses in the manifest that a client receives lead to this host, unless the option keeps them.
    @Test func addressesLeadToTheHost() async throws {
        try await withScratch { scratch in
            try XcodeExport(packs: Self.packs, extra: ["x": Data([1]), "y": "kept"]).write(to: scratch)
            let plist = Array(try Data(contentsOf: URL(filePath: scratch.appending("AssetPackManifest.plist").string)))
            let kept = try ServedFolder(path: scratch, isOfFiles: false, keepsAddresses: true).site()
            #expect(kept.manifest == plist)
            let own = try ServedFolder(path: scratch, isOfFiles: false).site()
            let manifest = try AssetPackManifest(plist: own.manifest)
            #expect(manifest.resources.map(\.url) == own.packs.map(\.path))
            #expect(manifest.resources.allSatisfy { $0.url.hasPrefix("/ios/v7/") && $0.isStreamable })
            let list = try PropertyListSerialization.propertyList(from: Data(own.manifest), format: nil)
            let entry = try #require(((list as? [String: Any])?["resources"] as? [[String: Any]])?.first)
            #expect(entry["y"] as? String == "kept" && entry["x"] == nil)
            #expect(try own.withOwnAddresses().manifest == own.manifest)
        }
    }

    @Test func aPackThatIsAFolderNeedsRoomForAnArchive() async throws {
        try await withScratch { scratch in
            try XcodeExport(packs: Self.packs, form: .folder).write(to: scratch.appending("e"))
            let failure = #expect(throws: CommandFailure.self) {
                try ServedFolder(path: scratch.appending("e"), isOfFiles: false).site()
            }
            #expect(failure?.description.contains("it is a folder") == true)
        }
    }

    /// Every file below a folder.
    private static func contents(of folder: FilePath) throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for entry in try FileTree.entries(of: folder) where entry.kind == .regular {
            contents[entry.path] = Array(try Data(contentsOf: URL(filePath: folder.appending(entry.path).string)))
        }
        return contents
    }
}
