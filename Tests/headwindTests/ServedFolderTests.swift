import Foundation
import PackFormat
import SystemPackage
import Testing

@testable import headwind

/// What `headwind host` says about a folder or a fault that it cannot serve.
struct ServedFolderTests {
    private func withFolder(_ body: (FilePath) throws -> Void) throws {
        let folder = FilePath(NSTemporaryDirectory()).appending("headwind host tests \(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder.string) }
        for name in ["level-1.bin", "level-2.bin"] {
            try Data(name.utf8).write(to: URL(filePath: folder.appending(name).string))
        }
        try body(folder)
    }

    private func failure(_ path: FilePath, isOfFiles: Bool = false) -> CommandFailure? {
        #expect(throws: CommandFailure.self) { try ServedFolder(path: path, isOfFiles: isOfFiles).site() }
    }

    @Test func anErrorSaysWhatToDo() throws {
        try withFolder { folder in
            let plain = failure(folder)
            #expect(plain?.status == .invalidInput)
            #expect(
                plain?.description
                    == "Could not serve '\(folder)': it has no AssetPackManifest.plist and no download-manifest.json. Add --packs to serve its files as they "
                    + "are, or build packs of them: headwind pack build '\(folder)' --by-folder --output packs")
            for isOfFiles in [false, true] {
                #expect(
                    failure(folder.appending("nowhere"), isOfFiles: isOfFiles)?.description
                        == "Could not serve '\(folder)/nowhere': there is no such folder.")
                #expect(
                    failure(folder.appending("level-1.bin"), isOfFiles: isOfFiles)?.description
                        == "Could not serve '\(folder)/level-1.bin': it is a file. Give its folder, and add --packs."
                )
            }
        }
    }

    /// Missing packs are reported once; their addresses still lead to this host, which answers 404.
    @Test(arguments: [1, 5]) func aFolderThatLacksPacksIsServed(missing: Int) throws {
        try withFolder { folder in
            let names = ["level-1.bin"] + (1...missing).map { "gone-\($0).bin" }
            let resources = names.map {
                AssetPackManifest.Resource(
                    bundleKey: $0, url: "https://cdn.example.com/x/\($0)", isStreamable: true, uncompressedSize: 11)
            }
            let manifest = try AssetPackManifest(resources: resources).plist()
            try Data(manifest).write(to: URL(filePath: folder.appending("AssetPackManifest.plist").string))
            let site = try ServedFolder(path: folder, isOfFiles: false).site()
            #expect(site.packs.map(\.identifier) == ["level-1.bin"])
            #expect(site.missing.map(\.path) == names.dropFirst().map { "/x/\($0)" })
            let urls = try AssetPackManifest(plist: site.manifest).resources.map(\.url)
            // The manifest is sorted.
            #expect(urls.sorted() == names.map { "/x/\($0)" }.sorted())
            let subject = missing == 1 ? "a pack that is" : "5 packs that are"
            let list = missing == 1 ? "'gone-1.bin'" : "'gone-1.bin', 'gone-2.bin', 'gone-3.bin' and 2 more"
            #expect(
                ServedFolder.warnings(site, in: "packs") == [
                    "the manifest names \(subject) not in 'packs', and requests get status 404: \(list)"
                ])
        }
    }

    @Test(arguments: [(Int64(512_000_000), 0), (512_000_001, 1)])
    func aPackOverTheLimitIsReported(size: Int64, count: Int) throws {
        try withFolder { folder in
            let manifest = try AssetPackManifest(resources: [
                .init(bundleKey: "p", url: "level-1.bin", isStreamable: true, uncompressedSize: size)
            ]).plist()
            try Data(manifest).write(to: URL(filePath: folder.appending("AssetPackManifest.plist").string))
            let site = try ServedFolder(path: folder, isOfFiles: false).site()
            let warnings = ServedFolder.warnings(site, in: "packs")
            #expect(warnings.count == count)
            #expect(warnings.allSatisfy { $0.hasPrefix("the pack 'p' has 512000001 bytes; the limit is 512000000") })
        }
    }

    @Test func aFaultOfAPackThatIsNotServedIsRefused() throws {
        try withFolder { folder in
            let site = try ServedFolder(path: folder, isOfFiles: true).site()
            for name in ["*", "level-1.bin", "manifest", "tag-table", "AssetPackManifest.plist"] {
                try site.check([HostFault(pack: name, action: .never)])
            }
            for (name, hint) in [
                ("level-9.bin", "did you mean 'level-1.bin'?"), ("manifst", "did you mean 'manifest'?"),
                ("x", "there are level-1.bin, level-2.bin, manifest, tag-table"),
            ] {
                let faults = [HostFault(pack: "*", action: .never), HostFault(pack: name, action: .never)]
                let failure = #expect(throws: CommandFailure.self) { try site.check(faults) }
                #expect(failure?.status == .usage)
                #expect(
                    failure?.description == "--fault: the host serves no pack named '\(name)'; \(hint)")
            }
        }
    }
}
