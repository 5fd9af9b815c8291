import Testing

@testable import PackFormat

/// The lists of the worked example, byte for byte, as another writer of Apple's binary form writes them.
///
/// They were made by Python 3.11's `plistlib.dumps(…, fmt=FMT_BINARY)`. Names and priorities are those of
/// swiftlang/swift-build's rules.
@Suite("Golden bytes")
struct GoldenBytesTests {
    private static let bundle = "com.example.game"
    private static let packs: [(tags: Set<String>, priority: Double, file: String)] = [
        (["Level1"], 0.95, "a.dat"), (["Level2"], 0.05, "b.dat"), (["Level1", "Level2"], 0.95, "c.dat"),
    ]

    private static func identifier(_ tags: Set<String>) -> String {
        PackNaming.identifier(bundleID: bundle, tags: tags)
    }

    @Test func aDescription() throws {
        let info = PackInfo(identifier: Self.identifier(["Level1"]), tags: ["Level1"], priority: 0.95)
        #expect(
            Hexadecimal.text(of: try info.plist())
                == "62706c6973743030d30102030405065f1012434642756e646c654964656e746966696572585072696f72697479"
                + "54546167735f103c636f6d2e6578616d706c652e67616d652e61737365742d7061636b2d3633363634616138"
                + "626565373534343131386465383762663438643532396565233fee666666666666a107564c6576656c31080f"
                + "242d32717a7c0000000000000101000000000000000800000000000000000000000000000083")
    }

    @Test(arguments: [
        (["Level1"], 0.95, "d94ee37c1588a6fc582f057a21315ff9afcc38e72722cceecf842ff7577c277b"),
        (["Level2"], 0.05, "07c5f73ba63a38b0fb9525525e102a2fa74c915b45a56a69204933290116fcac"),
        (["Level1", "Level2"], 0.95, "2f33c0fc21740b97fa9886664e247f82f3a2bbfbdfc1111bd5330adbda37d071"),
    ])
    func descriptions(tags: [String], priority: Double, digest: String) throws {
        let info = PackInfo(identifier: Self.identifier(Set(tags)), tags: tags, priority: priority)
        #expect(Digest.sha256Hex(try info.plist()) == digest)
    }

    @Test func theTagTable() throws {
        var table = TagTable(packsByTag: [:], pathsByPack: [:])
        for pack in Self.packs {
            let identifier = Self.identifier(pack.tags)
            for tag in pack.tags { table.packsByTag[tag, default: []].append(identifier) }
            table.pathsByPack[identifier] = [pack.file]
        }
        #expect(
            Digest.sha256Hex(try table.plist()) == "18b705549640a87ba13c150f8c95f1be58876cb7987db44df8b93d1a4586d81f")
    }

    /// Every hash differs, because equal dictionaries are one object here, and two there.
    @Test func theManifest() throws {
        let resources = Self.packs.map { pack in
            AssetPackManifest.Resource(
                bundleKey: Self.identifier(pack.tags),
                url: "https://cdn.example.com/" + PackNaming.directoryName(bundleID: Self.bundle, tags: pack.tags),
                isStreamable: true, uncompressedSize: 2_822_294, downloadPriority: pack.priority,
                primaryContentHash: .init(strategy: "modtime", hash: "2022-01-13T08:57:30.\(pack.file)Z"))
        }
        #expect(
            Digest.sha256Hex(try AssetPackManifest(resources: resources).plist())
                == "a7e72e7e9a5de95f2dbffe386eb087fad74495c79d1d2a3655f7bab219060b4f")
    }

    /// The first entry of a real export (2022): negative numbers have eight bytes.
    @Test func theMetadataOfARealExport() {
        let list = PropertyList.dictionary([
            "StandardDirectoryPerms": .integer(16877), "StandardFilePerms": .integer(-32348),
            "RecordCount": .integer(9), "TotalUncompressedBytes": .integer(2_829_891), "Version": .integer(2),
        ])
        #expect(
            Hexadecimal.text(of: list.binary)
                == "62706c6973743030d50102030405060708090a5b5265636f7264436f756e745f10165374616e6461726444697265"
                + "63746f72795065726d735f10115374616e6461726446696c655065726d735f1016546f74616c556e636f6d7072"
                + "657373656442797465735756657273696f6e10091141ed13ffffffffffff81a412002b2e43100208131f384c65"
                + "6d6f727b800000000000000101000000000000000b00000000000000000000000000000082")
    }
}
