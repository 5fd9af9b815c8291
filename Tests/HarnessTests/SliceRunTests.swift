import AssetPacks
import Foundation
import PackFormat
import Results
import Scenarios
import SystemPackage
import Testing

@testable import Harness

/// A scenario's device gets its slice of asset catalogs, and the app has all files without a tag.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct SliceRunTests {
    /// One image of 1,000, 2,000 and 3,000 bytes, and of 500 for a TV; 700 bytes without a tag.
    private func bench() throws -> Bench {
        let bench = try Bench()
        let set = "game/Art.xcassets/hero.imageset"
        var images: [String] = []
        for (idiom, scale) in [("universal", 1), ("universal", 2), ("universal", 3), ("tv", 1)] {
            let name = "\(idiom)@\(scale)x.png"
            images.append(#"{"filename": "\#(name)", "idiom": "\#(idiom)", "scale": "\#(scale)x"}"#)
            try bench.write("\(set)/\(name)", Bench.content(scale * (idiom == "tv" ? 500 : 1000)))
        }
        let contents =
            #"{"images": [\#(images.joined(separator: ", "))], "properties": {"on-demand-resource-tags": ["hero"]}}"#
        try bench.write("\(set)/Contents.json", Array(contents.utf8))
        try bench.write("game/plain.bin", Bench.content(700))
        return bench
    }

    @Test(
        arguments: [
            ("{radio: wifi}", [500, 1000, 2000, 3000]), ("{idiom: iphone, scale: 3x}", [3000]),
            ("{idiom: iphone, scale: 2x}", [2000]), ("{idiom: tv}", [500]), ("{limits: tvos-2015}", [500]),
            ("{scale: 1x}", [500, 1000]),
        ] as [(String, [Int64])])
    func packsAreBuiltForTheDevice(device: String, sizes: [Int64]) throws {
        let bench = try bench()
        let run = try bench.prepare(
            "catalog: {folder: ./game, tags: by-folder}\ndevice: \(device)\nworkload: [{request: {tags: [hero]}}]")
        let cell = try #require(run.scenarios.first?.cells.first)
        let content = try #require(try ContentStore(scratch: bench.folder.appending("scratch")).prepare(cell))
        #expect(content.appSize == 700)
        let pack = try #require(content.site.packs.first)
        let unpacked = bench.folder.appending("unpacked")
        _ = try PackArchive.extract(file: pack.file, into: unpacked)
        let images = unpacked.appending("Art.xcassets/hero.imageset")
        let files = try FileManager.default.contentsOfDirectory(atPath: images.string)
        let found = try files.map { try Data(contentsOf: URL(filePath: images.appending($0).string)).count }
        #expect(found.map(Int64.init).sorted() == sizes)
        #expect(content.manifest.resources.map(\.bundleKey) == [pack.identifier])
    }

    @Test func aResultNamesTheDevicesSlice() async throws {
        let result = try await bench().run(
            """
            catalog: {folder: ./game, tags: by-folder}
            device: {idiom: iphone, scale: 3x}
            workload: [{request: {tags: [hero]}}]
            budgets: {bytes_on_wire: min >= 3 kB}
            """)
        #expect(result.exitCode == 0, "\(result.text)")
        #expect(result.cells.map(\.slice) == ["iphone 3x"])
    }
}
