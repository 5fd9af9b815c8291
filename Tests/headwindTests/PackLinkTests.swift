import Foundation
import PackFormat
import SystemPackage
import Testing

@testable import headwind

/// Links and ambiguous archives that `headwind pack check` and `headwind host` find in a foreign folder.
@Suite("Folders of packs from elsewhere")
struct PackLinkTests {
    private func withPacks(_ body: (FilePath, FilePath) async throws -> Void) async throws {
        let scratch = FilePath(NSTemporaryDirectory()).appending("headwind-links-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: scratch.string) }
        let file = scratch.appending("catalog/level-1/map.dat")
        try FileManager.default.createDirectory(
            atPath: file.removingLastComponent().string, withIntermediateDirectories: true)
        try Data("map".utf8).write(to: URL(filePath: file.string))
        let packs = scratch.appending("packs")
        try await PackBuildCommand.parse([scratch.appending("catalog").string, "--by-folder", "-o", packs.string]).run()
        try await body(packs, scratch)
    }

    /// The packs' folder, one of its lists or a pack is moved out and replaced by a link.
    @Test(arguments: [Site.packsFolderName, Site.manifestName, Site.tagTableName, "pack"])
    func linksOutOfTheFolderAreRefused(name: String) async throws {
        try await withPacks { packs, scratch in
            let listing = try PackListing(packs)
            let pack = try #require(try listing.location(of: listing.manifest.resources[0]))
            let place = name == "pack" ? pack : packs.appending(name)
            try FileManager.default.moveItem(atPath: place.string, toPath: scratch.appending("out").string)
            try FileManager.default.createSymbolicLink(
                atPath: place.string, withDestinationPath: scratch.appending("out").string)
            let reason = name == "pack" ? "is a link" : "leads out of its folder"
            let told: [String]
            do {
                told = try PackFolderCheck(listing: PackListing(packs), limits: .ios2015).problems().map(\.message)
            } catch let error as PackFormatError {
                told = ["\(error)"]
            }
            #expect(told.contains { $0.contains(reason) }, "\(told)")
            let failure = await commandFailure { try await PackCheckCommand.parse([packs.string]).run() }
            #expect(failure?.status == .invalidInput)
            let served = #expect(throws: CommandFailure.self) { try ServedFolder(path: packs, isOfFiles: false).site() }
            #expect(served?.description.contains(reason) == true, "\(served?.description ?? "")")
        }
    }

    /// The check and the host both refuse an archive that readers understand differently.
    @Test func anAmbiguousArchiveIsRefused() async throws {
        try await withPacks { packs, _ in
            let listing = try PackListing(packs)
            let pack = try #require(try listing.location(of: listing.manifest.resources[0]))
            var bytes = try Data(contentsOf: URL(filePath: pack.string))
            bytes.append(contentsOf: Array("PK\u{5}\u{6}".utf8) + [UInt8](repeating: 0, count: 18))
            try bytes.write(to: URL(filePath: pack.string))
            var manifest = listing.manifest
            manifest.resources[0].downloadSize = nil
            manifest.resources[0].sha256 = nil
            try Data(manifest.plist()).write(to: URL(filePath: packs.appending(Site.manifestName).string))
            let told = try PackFolderCheck(listing: PackListing(packs), limits: .ios2015).problems().map(\.message)
            #expect(told.count == 1 && told[0].contains("it is an empty zip archive"), "\(told)")
            let served = #expect(throws: CommandFailure.self) { try ServedFolder(path: packs, isOfFiles: false).site() }
            #expect(served?.description.contains("it is an empty zip archive") == true, "\(served?.description ?? "")")
        }
    }
}
