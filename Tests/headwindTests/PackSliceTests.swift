import ArgumentParser
import Foundation
import PackFormat
import SystemPackage
import Testing

@testable import headwind

/// `headwind pack build` and `check` for a device: what they take of asset catalogs.
@Suite("headwind pack for a device")
struct PackSliceTests {
    /// An asset catalog with one image of 1,000, 2,000 and 3,000 bytes, and what a TV has of it.
    private func withCatalog(_ body: (_ catalog: FilePath, _ packs: FilePath) async throws -> Void) async throws {
        let scratch = FilePath(NSTemporaryDirectory()).appending("headwind-slice-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: scratch.string) }
        let set = scratch.appending("game/Art.xcassets/hero.imageset")
        try FileManager.default.createDirectory(atPath: set.string, withIntermediateDirectories: true)
        var images: [String] = []
        for (idiom, scale) in [("universal", 1), ("universal", 2), ("universal", 3), ("tv", 1)] {
            let name = "\(idiom)@\(scale)x.png"
            images.append(#"{"filename": "\#(name)", "idiom": "\#(idiom)", "scale": "\#(scale)x"}"#)
            let bytes = Data(repeating: 1, count: scale * (idiom == "tv" ? 500 : 1000))
            try bytes.write(to: URL(filePath: set.appending(name).string))
        }
        let contents =
            #"{"images": [\#(images.joined(separator: ", "))], "properties": {"on-demand-resource-tags": ["hero"]}}"#
        try Data(contents.utf8).write(to: URL(filePath: set.appending("Contents.json").string))
        try await body(scratch.appending("game"), scratch.appending("packs"))
    }

    @Test(
        arguments: [
            ([], ["tv@1x.png", "universal@1x.png", "universal@2x.png", "universal@3x.png"], 6500),
            (["--idiom", "iphone", "--scale", "3x"], ["universal@3x.png"], 3000),
            (["--device", "iPhone7,2"], ["universal@2x.png"], 2000),
            (["--idiom", "tv"], ["tv@1x.png"], 500), (["--limits", "tvos-2015"], ["tv@1x.png"], 500),
            (["--limits", "tvos-2015", "--device", "AppleTV5,3"], ["tv@1x.png"], 500),
        ] as [([String], [String], Int64)])
    func packsAreSliced(options: [String], names: [String], bytes: Int64) async throws {
        try await withCatalog { catalog, packs in
            try await PackBuildCommand.parse([catalog.string, "--by-folder", "-o", packs.string] + options).run()
            let listing = try PackListing(packs)
            let resource = try #require(listing.manifest.resources.first)
            let content = try PackContent(of: #require(try listing.location(of: resource)))
            let prefix = "Art.xcassets/hero.imageset/"
            #expect(content.files.map(\.path) == (names.map { prefix + $0 } + ["Info.plist"]).sorted())
            let info = content.files.first { $0.path == "Info.plist" }?.size ?? 0
            #expect(resource.uncompressedSize == bytes + info)
            // What is over the limit is what the device takes.
            let check = [catalog.string, "--by-folder", "--limit", "pack=\(bytes + info)"] + options
            try await PackCheckCommand.parse(check).run()
            let over = [catalog.string, "--by-folder", "--limit", "pack=\(bytes + info - 1)"] + options
            await #expect(throws: CommandFailure.self) { try await PackCheckCommand.parse(over).run() }
        }
    }

    @Test(arguments: [
        ["--idiom", "tv", "--scale", "2x"], ["--idiom", "iphone"], ["--device", "AppleTV6,2"], ["--scale", "3x"],
    ])
    func theFirstTVTakesNothingElse(options: [String]) async throws {
        try await withCatalog { catalog, packs in
            let build = [catalog.string, "--by-folder", "-o", packs.string, "--limits", "tvos-2015"] + options
            let failure = await #expect(throws: CommandFailure.self) { try await PackBuildCommand.parse(build).run() }
            #expect(failure?.status == .usage)
        }
    }

    @Test(arguments: [
        ["--device", "iPhone7,1", "--idiom", "iphone"], ["--device", "Nokia"], ["--scale", "4x"], ["--scale", "2"],
        ["--idiom", "phone"],
    ])
    func whatCannotBeMeantIsRefused(options: [String]) {
        #expect(throws: (any Error).self) { try PackBuildCommand.parse(["in", "-o", "out"] + options) }
    }
}
