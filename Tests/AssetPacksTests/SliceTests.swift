import SystemPackage
import Testing

@testable import AssetPacks
@testable import PackFormat

/// Asset catalogs: their tags, and the files that a device takes from them.
@Suite("Slicing")
struct SliceTests {
    private static let info = #""info": {"author": "xcode", "version": 1}"#

    /// An entry of an image set for this file.
    private static func image(_ name: String, _ idiom: String, _ scale: String?, _ more: String = "") -> String {
        let scale = scale.map { #", "scale": "\#($0)""# } ?? ""
        return #"{"filename": "\#(name)", "idiom": "\#(idiom)"\#(scale)\#(more)}"#
    }

    /// A catalog after Apple's Asset Catalog Format Reference, with every kind of set that can have tags.
    private func write(_ root: FilePath) throws {
        let art = root.appending("Art.xcassets")
        func set(_ path: String, key: String = "images", entries: [String], tags: [String] = [], files: [String: Int])
            throws
        {
            let list = tags.map { "\"\($0)\"" }.joined(separator: ", ")
            let properties = tags.isEmpty ? "" : #", "properties": {"on-demand-resource-tags": [\#(list)]}"#
            let text = #"{\#(Self.info), "\#(key)": [\#(entries.joined(separator: ", "))]\#(properties)}"#
            try art.appending(path).appending("Contents.json").write(text)
            for (name, size) in files {
                try art.appending(path).appending(name).write(String(repeating: "x", count: size))
            }
        }
        try art.appending("Contents.json").write("{\(Self.info)}")
        try set(
            "hero.imageset",
            entries: [
                Self.image("1.png", "universal", "1x"), Self.image("2.png", "universal", "2x"),
                Self.image("3.png", "universal", "3x"), Self.image("pad.png", "ipad", "2x"),
                Self.image("tv.png", "tv", "1x"), #"{"idiom": "universal", "scale": "1x"}"#,
                #"{"filename": "lost.png", "unassigned": true}"#,
            ], tags: ["level-1"],
            files: ["1.png": 100, "2.png": 200, "3.png": 300, "pad.png": 250, "tv.png": 110, "lost.png": 7])
        try set(
            "vector.imageset", entries: [Self.image("v.pdf", "universal", nil)], tags: ["level-1", "level-2"],
            files: ["v.pdf": 40])
        try set(
            "rules.dataset", key: "data",
            entries: [Self.image("phone.json", "iphone", nil), Self.image("all.json", "universal", nil)],
            tags: ["level-2"], files: ["phone.json": 5, "all.json": 6])
        // A group's tags apply to its content, an atlas's to its sprites, and a stack's to its layers.
        try art.appending("Boss/Contents.json").write(#"{"properties": {"on-demand-resource-tags": ["boss"]}}"#)
        try set("Boss/fire.spriteatlas", entries: [], tags: ["sprites"], files: [:])
        try set(
            "Boss/fire.spriteatlas/a.imageset",
            entries: [Self.image("a@2x.png", "universal", "2x"), Self.image("a@3x.png", "universal", "3x")],
            files: ["a@2x.png": 20, "a@3x.png": 30])
        try set(
            "poster.imagestack", key: "layers", entries: [#"{"filename": "Front.imagestacklayer"}"#], tags: ["level-1"],
            files: [:])
        try set(
            "poster.imagestack/Front.imagestacklayer/Content.imageset",
            entries: [Self.image("f1.png", "tv", "1x"), Self.image("f2.png", "tv", "2x")],
            files: ["f1.png": 11, "f2.png": 22])
        try set(
            "App.brandassets", key: "assets",
            entries: [
                #"{"filename": "Shelf.imageset", "idiom": "tv", "role": "top-shelf-image", "size": "1920x720"}"#
            ], files: [:])
        try set("App.brandassets/Shelf.imageset", entries: [Self.image("s.png", "tv", "1x")], files: ["s.png": 9])
        try root.appending("loose@3x.png").write("loose")
        try root.appending("tags.json").write(
            #"{"bundle": "com.example.game", "tags": {"loose": ["loose*"]}}"#)
    }

    private static let hero = "Art.xcassets/hero.imageset/"
    /// The files that each device takes; loose files are never sliced.
    static let devices: [(Slice?, [String])] = [
        (
            nil,
            [
                "1.png", "2.png", "3.png", "pad.png", "tv.png", "v.pdf", "phone.json", "all.json", "a@2x.png",
                "a@3x.png", "f1.png", "f2.png", "s.png",
            ]
        ),
        (Slice(idiom: .iphone, scale: 3), ["3.png", "v.pdf", "phone.json", "a@3x.png"]),
        (Slice(idiom: .iphone, scale: 2), ["2.png", "v.pdf", "phone.json", "a@2x.png"]),
        (Slice(idiom: .ipad, scale: 2), ["pad.png", "v.pdf", "all.json", "a@2x.png"]),
        // The device's own idiom comes first, whatever the scale; the atlas has no 1x, so the next larger scale is
        // taken.
        (Slice(idiom: .ipad, scale: 1), ["pad.png", "v.pdf", "all.json", "a@2x.png"]),
        (Slice(idiom: .tv, scale: nil), ["tv.png", "v.pdf", "all.json", "a@2x.png", "f1.png", "s.png"]),
        (Slice(idiom: .tv, scale: 2), ["tv.png", "v.pdf", "all.json", "a@2x.png", "f2.png", "s.png"]),
        (
            Slice(idiom: nil, scale: 1),
            ["1.png", "pad.png", "tv.png", "v.pdf", "phone.json", "all.json", "a@2x.png", "f1.png", "s.png"]
        ),
    ]

    @Test(arguments: devices.indices)
    func aDeviceTakesItsFiles(index: Int) throws {
        let (slice, names) = Self.devices[index]
        try withScratch { scratch in
            try write(scratch)
            let catalog = try Catalog(tagFile: scratch.appending("tags.json"), slice: slice)
            let found = catalog.resources.map { PackPath.parts($0.path).last ?? "" }
            #expect(Set(found) == Set(names + ["loose@3x.png"]) && found.count == names.count + 1, "\(found.sorted())")
        }
    }

    @Test func tagsAreThoseOfSetsGroupsAtlasesAndStacks() throws {
        try withScratch { scratch in
            try write(scratch)
            let catalog = try Catalog(tagFile: scratch.appending("tags.json"), slice: Slice(idiom: .tv, scale: 1))
            let tags = Dictionary(
                uniqueKeysWithValues: catalog.resources.map { (PackPath.parts($0.path).last ?? "", $0.tags) })
            #expect(
                tags == [
                    "tv.png": ["level-1"], "v.pdf": ["level-1", "level-2"], "all.json": ["level-2"],
                    "a@2x.png": ["boss", "sprites"], "f1.png": ["level-1"], "s.png": [], "loose@3x.png": ["loose"],
                ])
            let byFolder = try Catalog(byFolder: scratch)
            #expect(byFolder.tags == ["boss", "level-1", "level-2", "sprites"])
        }
    }

    /// Sizes are those of the slice, in packs and against limits.
    ///
    /// Tag tables have only the loose files, as Xcode's do.
    @Test func sizesAreSlicedAndUncompressed() throws {
        try withScratch { scratch in
            try write(scratch)
            var sizes: [Int64] = []
            for slice in [nil, Slice(idiom: .iphone, scale: 3), Slice(idiom: .iphone, scale: 2)] {
                let catalog = try Catalog(tagFile: scratch.appending("tags.json"), slice: slice)
                let pack = try #require(
                    try AssetPackBuilder(limits: .ios2015).plan(catalog).packs.first { $0.tags == ["level-1"] })
                sizes.append(pack.uncompressedSize)
            }
            // The pack's own description has the same size in all slices.
            #expect(sizes[0] - sizes[1] == 100 + 200 + 250 + 110 + 11 + 22)
            #expect(sizes[1] - sizes[2] == 100)
            let catalog = try Catalog(tagFile: scratch.appending("tags.json"), slice: Slice(idiom: .iphone, scale: 3))
            let limits = Limits(name: "x", source: "y", [.pack: sizes[1]])
            #expect(try AssetPackBuilder(limits: limits).plan(catalog).findings.isEmpty)
            let all = try Catalog(tagFile: scratch.appending("tags.json"))
            #expect(try !AssetPackBuilder(limits: limits).plan(all).findings.isEmpty)

            let output = scratch.appending("out")
            _ = try AssetPackBuilder(limits: limits).build(catalog, to: output)
            let table = try TagTable(plist: output.appending(Site.tagTableName).read())
            #expect(Array(table.pathsByPack.values.joined()) == ["loose@3x.png"])
            #expect(table.packsByTag.keys.sorted() == ["boss", "level-1", "level-2", "loose", "sprites"])
        }
    }

    @Test(arguments: [
        ("{", "there should be a key"), ("[]", "there should be an object, and there is an array"),
        (#"{"properties": {"on-demand-resource-tags": "a"}}"#, "1:44: there should be an array of tags"),
        (#"{"images": [{"filename": "../../x"}]}"#, "there is no '../../x' beside it"),
        (#"{"images": [{"filename": "none.png"}]}"#, "1:26: there is no 'none.png' beside it"),
        (#"{"images": [{"filename": "a.png", "scale": "9x"}]}"#, "a scale is 1x, 2x or 3x"),
    ])
    func saysWhatIsWrongAndWhere(contents: String, reason: String) throws {
        try withScratch { scratch in
            try scratch.appending("t/A.xcassets/a.imageset/Contents.json").write(contents)
            try scratch.appending("t/A.xcassets/a.imageset/a.png").write("1")
            let error = #expect(throws: CatalogError.self) { try Catalog(byFolder: scratch) }
            let text = error?.description ?? ""
            #expect(text.contains("t/A.xcassets/a.imageset/Contents.json:1:") && text.contains(reason), "\(text)")
        }
    }

    @Test(
        arguments: [
            ("iPhone3,1", .iphone, 2), ("iPhone7,1", .iphone, 3), ("iPhone7,2", .iphone, 2), ("iPhone10,3", .iphone, 3),
            ("iPhone10,4", .iphone, 2), ("iPhone11,8", .iphone, 2), ("iPhone12,8", .iphone, 2),
            ("iPhone13,1", .iphone, 3),
            ("iPhone14,6", .iphone, 2), ("iPhone17,3", .iphone, 3), ("iPad2,5", .ipad, 1), ("iPad13,4", .ipad, 2),
            ("iPod7,1", .iphone, 2), ("AppleTV5,3", .tv, 1), ("AppleTV6,2", .tv, 2),
        ] as [(String, Slice.Idiom, Int)])
    func knowsModels(model: String, idiom: Slice.Idiom, scale: Int) {
        #expect(Slice(model: model) == Slice(idiom: idiom, scale: scale))
    }

    @Test(arguments: ["", "iPhone", "iPhone7", "iPhone,1", "iPhone7,x", "Nokia3,1", "7,1", "iPhone0,1", "iPhone7,1,1"])
    func knowsNoOtherModels(model: String) {
        #expect(Slice(model: model) == nil)
    }
}
