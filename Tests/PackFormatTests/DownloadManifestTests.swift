import PackFormat
import SystemPackage
import Testing

/// The download manifest of Background Assets, and how a host serves it.
@Suite("Download manifests")
struct DownloadManifestTests {
    /// The output of `ba-package download-manifest create`, by a plan of the tool 'freight'.
    private static let apple = """
        { "assetPacks": [ { "id": "tutorial", "url": "https://h.example/tutorial", "version": 0,
                            "downloadSize": 596, "downloadPolicy": {"essential": {"installationEventTypes":
                            ["firstInstallation"]}},
                            "host": { "thirdParty": {} } } ] }
        """

    private static func read(_ text: String) throws -> AssetPackManifest {
        try AssetPackManifest(download: Array(text.utf8), name: "the list")
    }

    @Test func readsWhatApplesToolWrites() throws {
        let manifest = try Self.read(Self.apple)
        #expect(manifest.delivery == .backgroundAssets)
        let pack = try #require(manifest.resources.first)
        #expect(manifest.resources.count == 1 && pack.bundleKey == "tutorial" && pack.version == 0)
        #expect(pack.url == "https://h.example/tutorial" && pack.downloadSize == 596 && pack.sha256 == nil)
        #expect(pack.policy == AssetDownloadPolicy(.essential, events: [.firstInstallation]))
        #expect(pack.downloadPriority == 1 && pack.isArchive == nil)
        #expect(TagTable(identifiersOf: manifest).packsByTag == ["tutorial": ["tutorial"]])
    }

    @Test func readsWhatItWrites() throws {
        var manifest = try Self.read(Self.apple)
        var second = AssetPackManifest.Resource(
            bundleKey: "a\"b", url: "assets/a", isStreamable: false, uncompressedSize: 9,
            primaryContentHash: .init(strategy: "version", hash: "7"), downloadSize: 8,
            sha256: String(repeating: "0f", count: 32))
        (second.policy, second.isArchive) = (.init(.onDemand), true)
        manifest.resources[0].uncompressedSize = 700
        manifest.resources.insert(second, at: 0)
        let bytes = try manifest.plist()
        #expect(try AssetPackManifest(plist: bytes) == manifest && AssetPackManifest.isDownloadManifest(bytes))
        #expect(!AssetPackManifest.isDownloadManifest(Array(#"{"resources": []}"#.utf8)))
        #expect(try AssetPackManifest(plist: bytes).plist() == bytes)
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""host": {"thirdParty": {}}"#))
    }

    @Test(arguments: [
        ("{", "1:2: "), ("{}", "1:1: the key \"assetPacks\" is missing"),
        (#"{"assetPacks": {}}"#, "1:16: there should be a list of packs"),
        (#"{"assetPacks": [{"url": "a"}]}"#, "1:17: the key \"id\" is missing"),
        (#"{"assetPacks": [{"id": "a"}]}"#, "1:17: the key \"url\" is missing"),
        (#"{"assetPacks": [{"id": "a", "url": ""}]}"#, "the address is empty"),
        (#"{"assetPacks": [{"id": "", "url": "u"}]}"#, "it is empty"),
        (#"{"assetPacks": [{"id": "..", "url": "u"}]}"#, "it has a slash, or is '.' or '..'"),
        (#"{"assetPacks": [{"id": "a/b", "url": "u"}]}"#, "it has a slash, or is '.' or '..'"),
        (#"{"assetPacks": [{"id": "a\u0000", "url": "u"}]}"#, "a control character"),
        (#"{"assetPacks": [{"id": "a", "url": "u"}, {"id": "a", "url": "u"}]}"#, "it lists the pack 'a' twice"),
        (#"{"assetPacks": [{"id": "a", "url": "u", "version": -1}]}"#, "there should be a version"),
        (#"{"assetPacks": [{"id": "a", "url": "u", "downloadSize": 1.5}]}"#, "there should be a number of bytes"),
        (#"{"assetPacks": [{"id": "a", "url": "u", "downloadSize": 99999999999999}]}"#, "0 to 17592186044416"),
        (#"{"assetPacks": [{"id": "a", "url": "u", "downloadPolicy": {}}]}"#, "one of the keys"),
        (
            #"{"assetPacks": [{"id": "a", "url": "u", "downloadPolicy": {"eager": {}}}]}"#,
            "no download policy \"eager\""
        ),
        (#"{"assetPacks": [{"id": "a", "url": "u", "headwind": {"sha256": "zz"}}]}"#, "64 hex digits"),
    ])
    func problemsAreReportedWithTheirPlace(text: String, reason: String) {
        let error = #expect(throws: PackFormatError.self) { try Self.read(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasPrefix("Could not read the list: ") == true)
    }

    @Test(arguments: [
        (#"{"essential": {"installationEventTypes": []}}"#, "at least one install event"),
        (#"{"prefetch": {}}"#, "the key \"installationEventTypes\" is missing"),
        (#"{"prefetch": {"installationEventTypes": ["later"]}}"#, "no install event \"later\""),
        (
            #"{"prefetch": {"installationEventTypes": ["firstInstallation", "firstInstallation"]}}"#,
            "is listed twice"
        ),
        (#"{"onDemand": {"installationEventTypes": []}}"#, "an empty object"),
        (#"{"essential": {"events": []}}"#, "\"installationEventTypes\" alone"),
        (#"{"essential": {}, "prefetch": {}}"#, "this one has 2 keys"),
    ])
    func aPolicyHasItsEvents(policy: String, reason: String) {
        let text = #"{"assetPacks": [{"id": "a", "url": "u", "downloadPolicy": \#(policy)}]}"#
        let error = #expect(throws: PackFormatError.self) { try Self.read(text) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    /// The file has the pack's name, with the extension of Headwind's archives or of Apple's, or without one.
    @Test(arguments: ["tutorial", "tutorial.aar"])
    func aFolderIsServedAsTheManifestSays(file: String) throws {
        try withScratch { scratch in
            let bytes = [UInt8](repeating: 7, count: 596)
            try scratch.appending(file).write(bytes)
            try scratch.appending(Site.downloadManifestName).write(Array(Self.apple.utf8))
            let site = try Site.load(directory: scratch)
            #expect(site.manifestPath == "/manifest" && site.tagTable == nil)
            #expect(site.packs.map(\.path) == ["/tutorial"] && site.packs.map(\.tags) == [["tutorial"]])
            #expect(site.packs[0].file == scratch.appending(file))
            let own = try AssetPackManifest(plist: try site.withOwnAddresses().manifest)
            #expect(own.resources.map(\.url) == ["/tutorial"])
        }
    }

    /// Members that Headwind does not know stay, to the letter.
    @Test func otherMembersStayWhenAddressesChange() throws {
        try withScratch { scratch in
            let text = """
                {"x": [1.50, null, "a\\"b"], "assetPacks": [
                 {"id": "p", "url": "https://h.example/a/p", "userInfo": {"url": "https://stays"}},
                 {"id": "q", "url": "q", "language": "pt-BR"}]}
                """
            for name in ["p", "q"] { try scratch.appending(name).write([1]) }
            try scratch.appending(Site.downloadManifestName).write(Array(text.utf8))
            let site = try Site.load(directory: scratch).withOwnAddresses()
            let own = String(decoding: site.manifest, as: UTF8.self)
            #expect(own.hasPrefix(#"{"x": [1.50, null, "a\"b"], "assetPacks": [{"id": "p", "url": "/a/p", "#), "\(own)")
            #expect(own.hasSuffix(#""url": "https://stays"}}, {"id": "q", "url": "q", "language": "pt-BR"}]}"# + "\n"))
        }
    }

    @Test func aPackWithoutAFileIsMissing() throws {
        try withScratch { scratch in
            try scratch.appending(Site.downloadManifestName).write(Array(Self.apple.utf8))
            #expect(try Site.load(directory: scratch, mayLack: true).missing.map(\.identifier) == ["tutorial"])
            #expect(throws: PackFormatError.self) { try Site.load(directory: scratch) }
        }
    }
}
