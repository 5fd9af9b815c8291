import PackFormat
import SystemPackage
import Testing

@testable import AssetPacks

/// Files that cannot be in a pack are reported by name, before anything is written.
@Suite("Files that no pack can hold")
struct TwinTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    private func refusal(_ tagFile: String?, _ files: [String]) throws -> String {
        try withScratch { scratch in
            let root = scratch.appending("c")
            for file in files { try root.appending(file).write(file) }
            if let tagFile { try root.appending("tags.json").write(tagFile) }
            let error = #expect(throws: CatalogError.self) {
                let catalog =
                    try tagFile == nil ? Catalog(byFolder: root) : Catalog(tagFile: root.appending("tags.json"))
                _ = try AssetPackBuilder(limits: .ios2015).build(catalog, to: scratch.appending("x"))
            }
            #expect(!scratch.files.contains("x"))
            return error?.description ?? ""
        }
    }

    @Test(arguments: [
        (nil, ["t/\(composed)", "t/\(decomposed)"]),
        (nil, ["\(composed)/one", "\(decomposed)/two"]),
        (#"{"bundle": "b", "tags": {"t": ["**"]}}"#, [composed, decomposed]),
        (#"{"bundle": "b", "tags": {"t": ["**"]}}"#, ["\(composed)/one", "\(decomposed)/two"]),
        ("{\"bundle\": \"b\", \"tags\": {\"\(composed)\": [\"a\"], \"\(decomposed)\": [\"a\"]}}", ["a"]),
    ])
    func namesThatDifferByNormalisationAreRefused(tagFile: String?, files: [String]) throws {
        let text = try refusal(tagFile, files)
        #expect(text.contains(#"caf\u{E9}'"#) && text.contains(#"cafe\u{301}'"#), "\(text)")
    }

    /// In separate packs, and outside the packs, each name has its place.
    @Test func differentPacksHoldOneEach() throws {
        try withScratch { scratch in
            let root = scratch.appending("c")
            let paths = ["a/\(Self.composed)", "b/\(Self.decomposed)", Self.composed, Self.decomposed]
            for path in paths { try root.appending(path).write(path) }
            let report = try AssetPackBuilder(limits: .ios2015).build(
                Catalog(byFolder: root), to: scratch.appending("x"))
            #expect(report.packs.map(\.files) == [1, 1] && report.bundled.count == 2)
            let table = try TagTable(plist: scratch.appending("x/OnDemandResources.plist").read())
            let told = table.pathsByPack.values.joined().map { Array($0.utf8) }
            #expect(Set(told) == Set(paths.prefix(2).map { Array($0.utf8) }))
        }
    }

    @Test(arguments: [
        ("t/a\\b", "backslash"), ("t/a\nb", #"t/a\u{A}b': its name has a control character"#), ("t/\u{7F}", "control"),
        (String(repeating: String(repeating: "d", count: 200) + "/", count: 6) + "x", "1024 bytes"),
    ])
    func namesThatNoReaderAcceptsAreRefused(path: String, reason: String) throws {
        let text = try refusal(nil, [path])
        #expect(text.contains(reason), "\(text)")
        #expect(!text.contains("\n"))
    }

    /// Only files in packs need names that packs allow.
    @Test func otherFilesKeepTheirNames() throws {
        try withScratch { scratch in
            for path in ["t/a", "b\\c", "d\n"] { try scratch.appending("c").appending(path).write(path) }
            let report = try AssetPackBuilder(limits: .ios2015)
                .build(Catalog(byFolder: scratch.appending("c")), to: scratch.appending("x"))
            #expect(report.bundled == ["b\\c", "d\n"])
        }
    }

    /// A plus, a slash or a colon before a combining mark is another character, but the same byte.
    @Test(arguments: ["a+\u{301}b", "a/\u{301}", ":\u{338}"])
    func tagsHaveNoSeparatorsOfPackNames(tag: String) throws {
        #expect(throws: CatalogError.self) { try TagRule.check(tag) }
    }

    /// The file is in a folder, whatever its name begins with.
    @Test func aFolderEndsAtEverySlash() throws {
        try withScratch { scratch in
            try scratch.appending("one/\u{301}a").write("a")
            #expect(try Catalog(byFolder: scratch).resources.map(\.tags) == [["one"]])
        }
        #expect(PathPattern("one/*").matches("one/\u{301}a"))
    }
}
