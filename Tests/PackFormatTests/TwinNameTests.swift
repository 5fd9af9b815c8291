import Foundation
import PackFormat
import SystemPackage
import Testing

/// Names with different bytes and equal text: both are reported, and none is lost.
@Suite("Names that differ by normalisation")
struct TwinNameTests {
    static let composed = "caf\u{E9}"
    static let decomposed = "cafe\u{301}"
    private static let told = [#"caf\u{E9}"#, #"cafe\u{301}"#]

    private func expectBoth(_ error: (any Error)?, _ what: String = "") {
        let text = error.map { "\($0)" } ?? "no error"
        #expect(Self.told.allSatisfy(text.contains), "\(what) \(text)")
    }

    private static let pairs = [
        [composed, decomposed], ["x/\(composed)", "x/\(decomposed)"], ["\(composed)/a", "\(decomposed)/b"],
    ]

    @Test(arguments: pairs)
    func noArchiveIsWrittenWithBoth(paths: [String]) throws {
        try withScratch { scratch in
            let items = paths.map { PackArchive.Item(path: $0, content: .bytes(Array($0.utf8)), modified: 0) }
            expectBoth(
                #expect(throws: PackFormatError.self) { try PackArchive.write(items, to: scratch.appending("p")) })
            #expect(scratch.files.isEmpty)
        }
    }

    /// Names are compared as stored in the archive, whether they are marked as UTF-8 or not.
    @Test(arguments: pairs, [0, 0x0800] as [UInt16])
    func noArchiveIsUnpackedWithBoth(paths: [String], flags: UInt16) throws {
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            try file.write(RawZip(paths.map { .init(name: Array($0.utf8), body: [1], flags: flags) }).bytes)
            expectBoth(
                #expect(throws: PackFormatError.self) {
                    try PackArchive.extract(file: file, into: scratch.appending("out"))
                })
        }
    }

    @Test func noFolderOfFilesIsServedWithBoth() throws {
        try withScratch { scratch in
            try scratch.appending(Self.composed).write([1])
            try scratch.appending(Self.decomposed).write([2])
            expectBoth(#expect(throws: PackFormatError.self) { try Site.files(directory: scratch) })
        }
    }

    @Test func noManifestNamesBoth() throws {
        let names = [Self.composed, Self.decomposed]
        let resources = names.map {
            AssetPackManifest.Resource(bundleKey: $0, url: "a", isStreamable: true, uncompressedSize: 1)
        }
        let plist = try AssetPackManifest(resources: resources).plist()
        expectBoth(#expect(throws: PackFormatError.self) { try AssetPackManifest(plist: plist) })
    }

    @Test func noPacksAreServedWithBothFileNames() throws {
        try withScratch { scratch in
            let resources = try [Self.composed, Self.decomposed].map { name in
                try scratch.appending(name).write([1])
                return AssetPackManifest.Resource(
                    bundleKey: URLText.encoded(name), url: URLText.encoded(name), isStreamable: true,
                    uncompressedSize: 1)
            }
            try scratch.appending(Site.manifestName).write(AssetPackManifest(resources: resources).plist())
            expectBoth(#expect(throws: PackFormatError.self) { try Site.load(directory: scratch) })
        }
    }

    @Test func noPacksAreServedWithBothTags() throws {
        try withScratch { scratch in
            let resources = try [Self.composed, Self.decomposed].enumerated().map { index, tag in
                let info = try PackInfo(identifier: "p\(index)", tags: [tag]).plist()
                _ = try PackArchive.write(
                    [PackArchive.Item(path: PackArchive.infoName, content: .bytes(info), modified: 0)],
                    to: scratch.appending("p\(index).assetpack"))
                return AssetPackManifest.Resource(
                    bundleKey: "p\(index)", url: "p\(index).assetpack", isStreamable: true, uncompressedSize: 1)
            }
            try scratch.appending(Site.manifestName).write(AssetPackManifest(resources: resources).plist())
            expectBoth(#expect(throws: PackFormatError.self) { try Site.load(directory: scratch) })
        }
    }

    @Test func noPackOfATableHasBoth() throws {
        let table = TagTable(packsByTag: ["t": ["p"]], pathsByPack: ["p": [Self.composed, Self.decomposed]])
        let plist = try table.plist()
        expectBoth(#expect(throws: PackFormatError.self) { try TagTable(plist: plist) })
    }

    @Test func noPackHasBothTags() throws {
        let plist = try PackInfo(identifier: "p", tags: [Self.composed, Self.decomposed]).plist()
        expectBoth(#expect(throws: PackFormatError.self) { try PackInfo(plist: plist) })
    }

    /// A table in each format, as other tools may write it: a Swift dictionary could not hold both tags.
    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml], [composed, "cafes\u{301}"])
    func noTableHasBothTags(format: PropertyListSerialization.PropertyListFormat, other: String) throws {
        // In UTF-16, as binary lists have them, each stand-in is as long as its replacement.
        let standIn = String(repeating: "\u{142}", count: other.utf16.count)
        let tags = [standIn: ["NSAssetPacks": ["p"]], Self.decomposed: ["NSAssetPacks": ["q"]]]
        let data = try PropertyListSerialization.data(
            fromPropertyList: ["NSBundleResourceRequestTags": tags], format: format, options: 0)
        func bytes(_ text: String) -> [UInt8] {
            format == .xml ? Array(text.utf8) : text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        }
        var plist = Array(data)
        let place = try #require(plist.firstRange(of: bytes(standIn)))
        plist.replaceSubrange(place, with: bytes(other))
        guard other == Self.composed else {
            #expect(try TagTable(plist: plist).packsByTag.count == 2)
            return
        }
        let error = #expect(throws: PackFormatError.self) { try TagTable(plist: plist) }
        if format == .binary { expectBoth(error) }
    }

    @Test func keysInCommentsAreIgnored() throws {
        let list = "<plist><dict><!-- <key>a</key> --><key>b</key><string><![CDATA[<key>]]></string></dict></plist>"
        #expect(try TagTable(plist: Array(list.utf8)).packsByTag.isEmpty)
        let twice = "<plist><dict><key>a</key><string>1</string><key >a</key><string>2</string></dict></plist>"
        #expect(throws: PackFormatError.self) { try TagTable(plist: Array(twice.utf8)) }
    }

    /// Equal texts are written once in a property list, but these must be two.
    @Test func aListKeepsTheBytesOfEach() throws {
        let (tag, path) = (Self.composed, Self.decomposed)
        let table = try TagTable(plist: TagTable(packsByTag: [tag: ["p"]], pathsByPack: ["p": [path]]).plist())
        #expect(table.packsByTag.keys.map { Array($0.utf8) } == [Array(tag.utf8)])
        #expect(table.pathsByPack["p"]?.map { Array($0.utf8) } == [Array(path.utf8)])
        let lists = TagTable(packsByTag: [:], pathsByPack: ["p": [tag], "q": [path]])
        let read = try TagTable(plist: lists.plist())
        #expect(read.pathsByPack["p"]?.map { Array($0.utf8) } == [Array(tag.utf8)])
        #expect(read.pathsByPack["q"]?.map { Array($0.utf8) } == [Array(path.utf8)])
    }
}
