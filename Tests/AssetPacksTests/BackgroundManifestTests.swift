import PackFormat
import SystemPackage
import Testing

@testable import AssetPacks

/// `Manifest.json` of Background Assets: the files that it selects, and the problems of wrong ones.
@Suite("Manifests of Background Assets")
struct BackgroundManifestTests {
    private static let files = ["a.png", "b/c.dat", "b/d/e.dat", "f.ogg", ".hidden"]

    private func manifest(selectors: String, further: String = "") -> String {
        #"{"assetPackID": "P", "downloadPolicy": {"onDemand": {}}, "fileSelectors": [\#(selectors)]\#(further)}"#
    }

    private func pack(_ text: String, _ prepare: (FilePath) throws -> Void = { _ in }) throws -> BackgroundPack {
        try withScratch { scratch in
            for file in Self.files { try scratch.appending(file).write(file) }
            try prepare(scratch)
            try scratch.appending("Manifest.json").write(text)
            return try #require(try BackgroundCatalog(scratch.appending("Manifest.json")).packs.first)
        }
    }

    /// Apple's template has comments and a comma after the last element.
    @Test func applesTemplateIsRead() throws {
        let pack = try pack(
            """
            {
              "assetPackID": "Tutorial",
              "downloadPolicy": {
                "essential": { // The possible keys are “essential”, “prefetch”, and “onDemand”.
                  /* Both
                     lines */
                  "installationEventTypes": [
                    "firstInstallation", // applies to a new install
                    "subsequentUpdate"
                  ]
                }
              },
              "fileSelectors": [ { "directory": "b" }, { "file": "a.png" } ],
              "platforms": [ "iOS", "visionOS", ],
              "language": "pt-BR", "userInfo": {"//": "kept, /* as it is */"},
            }
            """)
        #expect(pack.identifier == "Tutorial" && pack.platforms == [.iOS, .visionOS] && pack.language == "pt-BR")
        #expect(pack.policy == AssetDownloadPolicy(.essential, events: [.firstInstallation, .subsequentUpdate]))
        #expect(pack.files.map(\.path) == ["a.png", "b/c.dat", "b/d/e.dat"])
    }

    @Test(arguments: [
        (#"{"file": "a.png"}"#, ["a.png"]), (#"{"directory": "b"}"#, ["b/c.dat", "b/d/e.dat"]),
        (#"{"directory": "./b/"}"#, ["b/c.dat", "b/d/e.dat"]),
        (#"{"directory": "."}"#, ["a.png", "b/c.dat", "b/d/e.dat", "f.ogg"]),
        (#"{"filePattern": "*.png"}"#, ["a.png"]), (#"{"filePattern": "**/*.dat"}"#, ["b/c.dat", "b/d/e.dat"]),
        (#"{"fileSource": "a.png", "fileDestination": "x/y.png"}"#, ["x/y.png"]),
        (#"{"directorySource": "b", "directoryDestination": "z"}"#, ["z/c.dat", "z/d/e.dat"]),
        (#"{"directorySource": "b", "directoryDestination": "."}"#, ["c.dat", "d/e.dat"]),
        (#"{"directory": "b"}, {"fileExclusion": "b/d/e.dat"}"#, ["b/c.dat"]),
        (#"{"fileExclusion": "b/d/**"}, {"directory": "b"}, {"file": "f.ogg"}"#, ["b/c.dat", "f.ogg"]),
        (#"{"file": "a.png"}, {"filePattern": "a.*"}"#, ["a.png"]),
    ])
    func selectorsFindTheirFiles(selectors: String, paths: [String]) throws {
        #expect(try pack(manifest(selectors: selectors)).files.map(\.path) == paths)
    }

    @Test func aSourceRootStandsBeforeAllSelectors() throws {
        let pack = try pack(manifest(selectors: #"{"directory": "d"}"#, further: #", "sourceRoot": "b""#))
        #expect(pack.files.map(\.path) == ["d/e.dat"])
    }

    /// `ba-package` uses the folder in which it is called.
    @Test func selectorsMayBeginElsewhere() throws {
        try withScratch { scratch in
            try scratch.appending("Assets/a.png").write("a")
            let text = manifest(selectors: #"{"directory": "Assets"}"#)
            try scratch.appending("Packs/One/Manifest.json").write(text)
            #expect(throws: CatalogError.self) { try BackgroundCatalog(scratch.appending("Packs")) }
            let catalog = try BackgroundCatalog(scratch.appending("Packs"), root: scratch)
            #expect(catalog.packs.map { $0.files.map(\.path) } == [["Assets/a.png"]])
        }
    }

    @Test(arguments: [
        (
            "{\n \"assetPackId\": \"P\"}",
            ":2:2: the key \"assetPackId\" is unknown here; did you mean \"assetPackID\"?"
        ), ("{", ":1:2: "),
        (#"{"assetPackID": "P"}"#, "the key \"downloadPolicy\" is missing"),
        (#"{"assetPackID": "a/b"}"#, ":1:17: the string"),
        (#"{"assetPackID": "P", "downloadPolicy": {"onDemand": {}}}"#, "the key \"fileSelectors\" is missing"),
    ])
    func problemsAreReportedWithTheirPlace(text: String, reason: String) {
        let error = #expect(throws: CatalogError.self) { try pack(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("", "there is no file selector"), (#"{}"#, "this one has no key"),
        (#"{"path": "a"}"#, "this one has \"path\""),
        (#"{"file": "a.png", "directory": "b"}"#, "one of these sets of keys"),
        (#"{"fileSource": "a.png"}"#, "one of these sets of keys"),
        (#"{"file": "/etc/passwd"}"#, "not a path below"),
        (#"{"file": "../a.png"}"#, "not a path below"),
        (#"{"directory": "b/../.."}"#, "not a path below"),
        (#"{"file": ""}"#, "not a path below"),
        (#"{"fileSource": "a.png", "fileDestination": "../x"}"#, "not a path below"),
        (#"{"fileSource": "a.png", "fileDestination": "META-INF/x"}"#, "readers ignore"),
        (#"{"file": "b"}"#, "is not a file"), (#"{"directory": "a.png"}"#, "is not a readable folder"),
        (#"{"file": "nowhere"}"#, "does not exist"), (#"{"filePattern": "*.mp3"}"#, "matches '*.mp3'"),
        (#"{"file": "out"}"#, "leads out of its folder"), (#"{"file": "in"}"#, "is reached through a link"),
        (#"{"directory": "folder"}"#, "is reached through a link"),
        (#"{"file": "folder/c.dat"}"#, "is reached through a link"),
        (#"{"directory": "links"}"#, "is a link or a device"),
        (#"{"file": "a.png"}, {"fileSource": "f.ogg", "fileDestination": "a.png"}"#, "would be 'a.png'"),
        (#"{"directory": "b"}, {"fileExclusion": "b/**"}"#, "the pack is empty"),
    ])
    func hostileAndEmptySelectorsAreRefused(selectors: String, reason: String) {
        let error = #expect(throws: CatalogError.self) {
            try pack(manifest(selectors: selectors)) { scratch in
                try scratch.appending("links/x").write("x")
                let links = [
                    ("out", "/etc/hostname"), ("in", "a.png"), ("folder", "b"), ("links/y", "../a.png"),
                ]
                for (name, target) in links { try scratch.appending(name).link(to: target) }
            }
        }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        (#", "platforms": ["watchOS"]"#, "no platform \"watchOS\""),
        (#", "platforms": ["ios"]"#, "did you mean \"iOS\"?"),
        (#", "platforms": "iOS""#, "a list of platforms"), (#", "language": "en_US""#, "not a language tag"),
        (#", "language": "1""#, "not a language tag"), (#", "sourceRoot": "..""#, "not a path below"),
        (#", "userInfo": []"#, "an object with values for the app"),
    ])
    func otherInvalidMembersAreRefused(further: String, reason: String) {
        let error = #expect(throws: CatalogError.self) {
            try pack(manifest(selectors: #"{"file": "a.png"}"#, further: further))
        }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func aFolderHasAllItsManifests() throws {
        try withScratch { scratch in
            #expect(!BackgroundCatalog.isThere(scratch))
            let text = manifest(selectors: #"{"file": "a"}"#)
            for place in ["One/Manifest.json", "deep/er/Manifest.json"] {
                let id = place.hasPrefix("One") ? "one" : "two"
                try scratch.appending(place).write(text.replacing("\"P\"", with: "\"\(id)\""))
                try scratch.appending(place).removingLastComponent().appending("a").write("a")
            }
            // Another file of the same name.
            try scratch.appending("web/Manifest.json").write(#"{"name": "x"}"#)
            #expect(BackgroundCatalog.isThere(scratch))
            let catalog = try BackgroundCatalog(scratch)
            #expect(catalog.packs.map(\.identifier) == ["one", "two"])
            let told = catalog.findings(.backgroundAssets).map(\.message)
            #expect(told.count == 1 && told[0].contains("'a' is also in the pack 'one'"), "\(told)")
            try scratch.appending("One/More.json").write(text.replacing("\"P\"", with: "\"two\""))
            try scratch.appending("Extra.json").write(text.replacing("\"P\"", with: "\"two\""))
            try scratch.appending("a").write("a")
            let error = #expect(throws: CatalogError.self) { try BackgroundCatalog(scratch) }
            #expect(error?.description.contains("the pack 'two' has two manifests") == true)
        }
    }

    /// Sources disagree on how many packs there may be: over 100 is a warning, over 200 an error.
    @Test(arguments: [(100, nil), (101, .warning), (200, .warning), (201, .error)] as [(Int, LimitFinding.Severity?)])
    func countsPacks(count: Int, severity: LimitFinding.Severity?) {
        let packs = (1...count).map { number in
            BackgroundPack(
                manifest: "m", identifier: "p\(number)", policy: .init(.onDemand), platforms: [],
                files: [.init(path: "\(number)", source: "x", size: 1, modified: 0)])
        }
        let findings = BackgroundCatalog(packs: packs).findings(.backgroundAssets)
        #expect(findings.map(\.severity) == [severity].compactMap { $0 })
    }

    @Test(arguments: [(200_000_000_000, 0), (200_000_000_001, 1)] as [(Int64, Int)])
    func countsBytes(bytes: Int64, findings: Int) {
        let file = BackgroundPack.File(path: "a", source: "x", size: bytes, modified: 0)
        let pack = BackgroundPack(
            manifest: "m", identifier: "p", policy: .init(.onDemand), platforms: [], files: [file])
        #expect(BackgroundCatalog(packs: [pack]).findings(.backgroundAssets).count == findings)
    }
}

/// Packs of Background Assets as they are built.
@Suite("Packs of Background Assets")
struct BackgroundPackBuilderTests {
    /// A changed pack gets the next version, and an unchanged one keeps its version.
    @Test func versionsFollowTheContent() throws {
        try withScratch { scratch in
            func build() throws -> [String: Int64] {
                let manifest = try BackgroundCatalog(scratch.appending("in")).build(to: scratch.appending("out"))
                return Dictionary(uniqueKeysWithValues: manifest.resources.map { ($0.bundleKey, $0.version ?? -1) })
            }
            for id in ["one", "two"] {
                try scratch.appending("in/\(id)/a-\(id)").write(id)
                let policy = #""downloadPolicy": {"onDemand": {}}"#
                try scratch.appending("in/\(id)/Manifest.json").write(
                    #"{"assetPackID": "\#(id)", \#(policy), "fileSelectors": [{"directory": "."}]}"#)
            }
            #expect(try build() == ["one": 0, "two": 0])
            #expect(try build() == ["one": 0, "two": 0])
            try scratch.appending("in/two/a-two").write("changed")
            #expect(try build() == ["one": 0, "two": 1])
            #expect(scratch.appending("out").files == ["download-manifest.json", "one.assetpack", "two.assetpack"])
            let site = try Site.load(directory: scratch.appending("out"))
            #expect(site.packs.map(\.path) == ["/assets/one", "/assets/two"])
            let folder = scratch.appending("unpacked")
            _ = try PackArchive.extract(file: site.packs[1].file, into: folder)
            #expect(folder.files == ["a-two"])
        }
    }

    @Test func aCatalogOfTagsBecomesPacks() throws {
        try withScratch { scratch in
            let catalog = BackgroundCatalog(of: try BuiltInCatalog.adventure.write(to: scratch))
            let policies = Dictionary(uniqueKeysWithValues: catalog.packs.map { ($0.identifier, $0.policy.kind) })
            #expect(policies["menu"] == .essential && policies["level-1"] == .prefetch)
            #expect(policies["level-2"] == .onDemand && policies["level-2+level-3"] == .onDemand)
        }
    }
}
