import Foundation
import Testing

@testable import PackFormat

/// Manifests, tag tables and descriptions: Xcode's, ours, and hostile ones.
@Suite("Property lists")
struct PropertyListTests {
    static let resource = AssetPackManifest.Resource(
        bundleKey: "com.example.game.asset-pack-1", url: "OnDemandResources/é.assetpack", isStreamable: true,
        uncompressedSize: 5_000_000_000, downloadPriority: 0.95,
        primaryContentHash: .init(strategy: "modtime", hash: "2022-01-13T08:57:30.000Z"), downloadSize: 300,
        sha256: String(repeating: "0a", count: 32))

    @Test func manifestsReadBack() throws {
        let bare = AssetPackManifest.Resource(bundleKey: "b", url: "u", isStreamable: false, uncompressedSize: 0)
        let manifest = AssetPackManifest(resources: [Self.resource, bare])
        let bytes = try manifest.plist()
        #expect(try AssetPackManifest(plist: bytes).resources == [bare, Self.resource])
        #expect(try manifest.plist() == bytes)
    }

    @Test func tablesAndDescriptionsReadBack() throws {
        let table = TagTable(packsByTag: ["a": ["p", "q"], "b": ["q"]], pathsByPack: ["p": ["x/y.png"]])
        #expect(try TagTable(plist: table.plist()) == table)
        #expect(table.packs(for: ["a", "b"]) == ["p", "q"] && table.packs(for: ["a", "c"]) == nil)
        #expect(table.missingTags(["a", "c"]) == ["c"] && table.tags(of: "q") == ["a", "b"])
        for priority in [nil, 0.5] {
            let info = PackInfo(identifier: "p", tags: ["b", "a"], priority: priority)
            #expect(try PackInfo(plist: info.plist()) == info)
        }
    }

    /// Foundation must read the written list, too, with the same values.
    @Test func foundationReadsWrittenLists() throws {
        let many = (0..<400).map { index in
            AssetPackManifest.Resource(
                bundleKey: "p\(index)", url: "u", isStreamable: true, uncompressedSize: Int64(index) << (index % 40))
        }
        let bytes = try AssetPackManifest(resources: [Self.resource] + many).plist()
        let list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        let resources = try #require((list as? [String: Any])?["resources"] as? [[String: Any]])
        #expect(resources.count == 401)
        #expect(resources[0]["bundleKey"] as? String == Self.resource.bundleKey)
        #expect(resources[0]["URL"] as? String == Self.resource.url)
        #expect(resources[0]["downloadPriority"] as? Double == 0.95)
        #expect(resources[0]["uncompressedSize"] as? Int == 5_000_000_000)
        #expect(resources[0]["isStreamable"] as? Bool == true)
    }

    /// The sizes of as many packs as a manifest may have add up without overflow.
    @Test func refusesSizesThatCouldOverflow() throws {
        let most: Int64 = 1 << 44
        #expect(!most.multipliedReportingOverflow(by: 500_000).overflow)
        for size in [0, most] {
            let resource = AssetPackManifest.Resource(
                bundleKey: "p", url: "u", isStreamable: true, uncompressedSize: size, downloadSize: size)
            let manifest = AssetPackManifest(resources: [resource])
            #expect(try AssetPackManifest(plist: manifest.plist()) == manifest)
        }
        for (stored, downloaded) in [(most + 1, nil), (.max, nil), (1, most + 1), (1, .max)] as [(Int64, Int64?)] {
            let resource = AssetPackManifest.Resource(
                bundleKey: "p", url: "u", isStreamable: true, uncompressedSize: stored, downloadSize: downloaded)
            let bytes = try AssetPackManifest(resources: [resource]).plist()
            let error = #expect(throws: PackFormatError.self) { try AssetPackManifest(plist: bytes) }
            #expect(error?.description.contains("0 to \(most)") == true)
        }
    }

    /// The shape of a manifest that Xcode exported for a developer's own host.
    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func readsXcodesManifests(format: PropertyListSerialization.PropertyListFormat) throws {
        let list: [String: Any] = [
            "resources": [
                [
                    "URL": "https://cdn.example.com/odr/com.example.app.forest-0a.assetpack",
                    "uncompressedSize": 2_822_294, "bundleKey": "com.example.app.asset-pack-0a", "isStreamable": 1,
                    "primaryContentHash": ["hash": "2022-01-13T08:57:30.000Z", "strategy": "modtime"],
                ] as [String: Any]
            ],
            "a key of the future": ["x": Date(), "y": Data([1])],
        ]
        let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
        let resource = try #require(try AssetPackManifest(plist: Array(bytes)).resources.first)
        #expect(resource.url == "https://cdn.example.com/odr/com.example.app.forest-0a.assetpack")
        #expect(resource.isStreamable && resource.uncompressedSize == 2_822_294 && resource.downloadPriority == nil)
        #expect(resource.primaryContentHash?.hash == "2022-01-13T08:57:30.000Z" && resource.sha256 == nil)
    }

    @Test func anEmptyTableIsNoError() throws {
        let list = PropertyList.dictionary(["NSBundleResourceRequestAssetPacks": .dictionary([:])])
        #expect(try TagTable(plist: list.binary) == TagTable(packsByTag: [:], pathsByPack: [:]))
    }

    @Test(
        arguments: [
            ([:], "at its top the key 'resources' is missing"),
            (["resources": .string("x")], "at 'resources' there should be an array, and there is the string 'x'"),
            (
                ["resources": .array([.array([])])],
                "at 'resources[0]' there should be a dictionary, and there is an array"
            ),
            (entry(without: "URL"), "at 'resources[0]' the key 'URL' is missing"),
            (entry("URL", .string("")), "at 'resources[0].URL' there should be a string that is not empty"),
            (
                entry("uncompressedSize", .integer(-1)),
                "at 'resources[0].uncompressedSize' there should be a number of bytes"
            ),
            (entry("uncompressedSize", .real(.infinity)), "there should be a number of bytes"),
            (entry("downloadPriority", .real(1.5)), "there should be a number from 0 to 1, and there is 1.5"),
            (entry("downloadPriority", .real(.nan)), "there should be a number from 0 to 1"),
            (entry("isStreamable", .integer(2)), "at 'resources[0].isStreamable' there should be a boolean"),
            (entry("HeadwindSHA256", .string("abc")), "there should be 64 hex digits, and there is the string 'abc'"),
            (
                entry("primaryContentHash", .string("x")),
                "at 'resources[0].primaryContentHash' there should be a dictionary"
            ),
        ] as [([String: PropertyList], String)])
    func saysWhereAManifestIsWrong(list: [String: PropertyList], message: String) {
        let error = #expect(throws: PackFormatError.self) {
            try AssetPackManifest(plist: Self.bytes(list), name: "'m.plist'")
        }
        #expect(error?.description.hasPrefix("Could not read 'm.plist': ") == true)
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func refusesADuplicatePack() throws {
        let bytes = try AssetPackManifest(resources: [Self.resource, Self.resource]).plist()
        #expect(throws: PackFormatError.self) { try AssetPackManifest(plist: bytes) }
    }

    private static let plain: [String: PropertyList] = [
        "bundleKey": .string("b"), "URL": .string("u"), "uncompressedSize": .integer(1),
    ]

    private static func entry(without key: String) -> [String: PropertyList] {
        ["resources": .array([.dictionary(plain.filter { $0.key != key })])]
    }

    private static func entry(_ key: String, _ value: PropertyList) -> [String: PropertyList] {
        ["resources": .array([.dictionary(plain.merging([key: value]) { $1 })])]
    }

    /// A list with a NaN cannot be found by value, so the NaN is written into the bytes by hand.
    private static func bytes(_ list: [String: PropertyList]) -> [UInt8] {
        guard "\(list)".contains("nan") else { return PropertyList.dictionary(list).binary }
        var bytes = PropertyList.dictionary(entry("downloadPriority", .real(2))).binary
        let place = bytes.indices.first { bytes[$0...].starts(with: [0x23, 0x40, 0, 0]) } ?? 0
        bytes[place + 1] = 0x7F
        bytes[place + 2] = 0xF8
        return bytes
    }
}
