import ArgumentParser
import Foundation
import PackFormat
import SystemPackage
import Testing

@testable import headwind

/// `headwind pack build` and `check` for a device: which files of asset catalogs they take.
@Suite("headwind pack for a device")
struct PackSliceTests {
    /// An asset catalog with an image of 1,000, 2,000 and 3,000 bytes for 1x to 3x, and a variant for TV.
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
            // The limit applies to the device's slice alone.
            let check = [catalog.string, "--by-folder", "--limit", "pack=\(bytes + info)"] + options
            try await PackCheckCommand.parse(check).run()
            let over = [catalog.string, "--by-folder", "--limit", "pack=\(bytes + info - 1)"] + options
            await #expect(throws: CommandFailure.self) { try await PackCheckCommand.parse(over).run() }
        }
    }

    @Test(arguments: [
        ["--idiom", "tv", "--scale", "2x"], ["--idiom", "iphone"], ["--device", "AppleTV6,2"], ["--scale", "3x"],
    ])
    func theFirstTVTakesNoOtherSlice(options: [String]) async throws {
        try await withCatalog { catalog, packs in
            let build = [catalog.string, "--by-folder", "-o", packs.string, "--limits", "tvos-2015"] + options
            let failure = await #expect(throws: CommandFailure.self) { try await PackBuildCommand.parse(build).run() }
            #expect(failure?.status == .usage)
        }
    }

    /// Variants that take the same files are built once; each variant, and all together, are checked against the
    /// limits.
    @Test func allSlicesAreBuiltInOneGo() async throws {
        try await withCatalog { catalog, packs in
            let build = [catalog.string, "--by-folder", "-o", packs.string, "--all-slices"]
            try await PackBuildCommand.parse(build).run()
            var sizes: [String: Int64] = [:]
            for folder in try FileManager.default.contentsOfDirectory(atPath: packs.string) {
                let resources = try PackListing(packs.appending(folder)).manifest.resources
                sizes[folder] = resources.map(\.uncompressedSize).reduce(0, +)
            }
            #expect(sizes.keys.sorted() == ["iphone-1x", "iphone-2x", "iphone-3x", "tv-1x"])
            let info = try #require(sizes["tv-1x"]) - 500
            #expect(sizes.values.sorted() == [500, 1000, 2000, 3000].map { $0 + info })
            let (largest, all) = (3000 + info, 6500 + 4 * info)
            for (limit, isAllowed) in [
                ("pack=\(largest)", true), ("pack=\(largest - 1)", false), ("hosted=\(all)", true),
                ("hosted=\(all - 1)", false),
            ] {
                let options = ["--limit", limit]
                let check = [catalog.string, "--by-folder", "--all-slices"] + options
                if isAllowed {
                    try await PackBuildCommand.parse(build + options).run()
                    try await PackCheckCommand.parse(check).run()
                } else {
                    let built = await #expect(throws: CommandFailure.self) {
                        try await PackBuildCommand.parse(build + options).run()
                    }
                    #expect(built?.status == .invalidInput)
                    await #expect(throws: CommandFailure.self) { try await PackCheckCommand.parse(check).run() }
                }
                // As in Xcode, excess is a warning.
                try await PackBuildCommand.parse(build + options + ["--as", "xcode"]).run()
            }
        }
    }

    @Test func theTableOfSlicesSaysWhatIsOver() async throws {
        try await withCatalog { catalog, _ in
            var limits = Limits.ios2015
            limits[.pack] = 2500
            let options = try CatalogOptions.parse(["--by-folder", "--all-slices"])
            let variants = try SliceVariants(planning: options, of: catalog.string, limits: limits)
            let lines = variants.table
            #expect(lines.count == 1 + 21 + 2)
            #expect(lines[0].hasPrefix("VARIANT") && lines[0].hasSuffix("FOLDER"))
            let over = lines.filter { $0.contains("!") }
            #expect(over.count == 6 && over.allSatisfy { $0.contains("3x") && $0.hasSuffix("iphone-3x") }, "\(over)")
            #expect(lines.contains { $0.hasPrefix("tv-3x") && $0.hasSuffix("tv-1x") })
            #expect(lines.last?.contains("2.5 kB") == true && lines.last?.contains("20.0 GB") == true)
            #expect(variants.findings.map(\.variant) == ["iphone-3x"])
        }
    }

    @Test(arguments: [
        ["--device", "iPhone7,1", "--idiom", "iphone"], ["--all-slices", "--idiom", "iphone"], ["--device", "Nokia"],
        ["--scale", "4x"], ["--scale", "2"],
        ["--idiom", "phone"],
    ])
    func invalidOptionsAreRefused(options: [String]) {
        #expect(throws: (any Error).self) { try PackBuildCommand.parse(["in", "-o", "out"] + options) }
    }
}
