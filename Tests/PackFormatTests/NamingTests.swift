import PackFormat
import Testing

/// Names and digests, compared with Xcode's own.
@Suite("Names and digests")
struct NamingTests {
    @Test(arguments: [
        (["foo"], "acbd18db4cc2f85cedef654fccc4a4d8"),
        (["foo", "bar"], "8856328b99ee7881e9bf7205296e056d"),
        (["baz"], "73feffa4b7f6bb68e44cf984c85f6e88"),
        (["Level1"], "63664aa8bee7544118de87bf48d529ee"),
        (["Level2"], "0cbbfd5a182368f83190bf23d2bd5fde"),
        (["Level2", "Level1"], "9aa9a1e88e3afd974721316c3ef30f1a"),
        ((0..<3).map { String(repeating: "a", count: 62) + "\($0)" }, "3ed1a57b39f299b9e527b6a274381186"),
    ])
    func hashesTags(tags: [String], hash: String) {
        #expect(PackNaming.hash(tags: Set(tags)) == hash)
        #expect(
            PackNaming.identifier(bundleID: "com.example.game", tags: Set(tags))
                == "com.example.game.asset-pack-\(hash)")
    }

    @Test(arguments: [
        (["Level1"], "com.example.game.Level1-63664aa8bee7544118de87bf48d529ee.assetpack"),
        (["Level2"], "com.example.game.Level2-0cbbfd5a182368f83190bf23d2bd5fde.assetpack"),
        (["Level1", "Level2"], "com.example.game.Level1+Level2-9aa9a1e88e3afd974721316c3ef30f1a.assetpack"),
    ])
    func namesFiles(tags: [String], name: String) {
        #expect(PackNaming.directoryName(bundleID: "com.example.game", tags: Set(tags)) == name)
    }

    @Test(arguments: ["a", "é", "\u{1F9F2}", "e\u{301}"])
    func cutsLongNamesBeforeTheHash(letter: String) {
        let tags: Set = [String(repeating: letter, count: 240)]
        let name = PackNaming.directoryName(bundleID: "com.example.game", tags: tags)
        #expect(name.utf8.count <= 240 && name.utf8.count > 240 - letter.utf8.count)
        #expect(name.hasSuffix("-\(PackNaming.hash(tags: tags)).assetpack"))
        #expect(name.hasPrefix("com.example.game.\(letter)\(letter)"))
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func digestsBytes(text: String, digest: String) {
        #expect(Digest.sha256Hex(Array(text.utf8)) == digest)
    }

    @Test(
        arguments: [
            ("", 0), ("a", 0xE8B7_BE43), ("123456789", 0xCBF4_3926),
            ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
        ] as [(String, UInt32)])
    func checksBytes(text: String, checksum: UInt32) {
        #expect(CRC32.checksum(of: Array(text.utf8)) == checksum)
    }

    @Test(arguments: 0..<20)
    func checksPieceByPiece(cut: Int) {
        let bytes = (0..<40).map { UInt8(truncatingIfNeeded: $0 &* 73) }
        var crc = CRC32()
        bytes[..<cut].withUnsafeBytes { crc.update($0) }
        bytes[cut...].withUnsafeBytes { crc.update($0) }
        #expect(crc.value == CRC32.checksum(of: bytes))
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (3_600_000_000_000, "1970-01-01T01:00:00.000Z"),
            (1_642_064_250_000_000_000, "2022-01-13T08:57:30.000Z"),
            (951_782_399_999_000_000, "2000-02-28T23:59:59.999Z"),
            (951_868_800_000_000_000, "2000-03-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func writesTimes(nanoseconds: Int64, text: String) {
        #expect(CivilTime(nanoseconds: nanoseconds).text == text)
    }

    @Test(arguments: [
        ("com.example.a+b-1_2~.assetpack", "com.example.a+b-1_2~.assetpack"), ("a b", "a%20b"), ("é", "%C3%A9"),
        ("100%", "100%25"), ("a?b#c", "a%3Fb%23c"),
    ])
    func escapesAddresses(plain: String, escaped: String) {
        #expect(URLText.encoded(plain) == escaped)
        #expect(URLText.decoded(escaped) == plain)
    }

    @Test(arguments: ["%", "%4", "%zz", "%ff"])
    func keepsInvalidEscapes(text: String) {
        #expect(URLText.decoded(text) == text)
    }

    @Test(
        arguments: [
            (ByteOffset.bytes(10), 10), (.bytes(-1), 0), (.bytes(2000), 1000), (.fraction(0.4), 400),
            (.fraction(1.5), 1000),
            (.fraction(-1), 0), (.fraction(.nan), 0), (.fraction(0.3999), 399),
        ] as [(ByteOffset, Int64)])
    func findsPlacesInBodies(offset: ByteOffset, place: Int64) {
        #expect(offset.resolved(in: 1000) == place)
    }

    @Test(
        arguments: [
            ("ios-2015", 512_000_000, nil, 2_000_000_000), ("tvos-2015", 512_000_000, nil, 2_000_000_000),
            ("guide-2017", 512_000_000, 1000, 2_000_000_000), ("pre-18", 512_000_000, 1000, 2_000_000_000),
            ("ios-18", 8_000_000_000, 1000, nil), ("tvos-18", 512_000_000, 1000, nil),
        ] as [(String, Int64, Int64?, Int64?)])
    func knowsLimits(name: String, pack: Int64, count: Int64?, inUse: Int64?) throws {
        let limits = try #require(Limits.named(name))
        #expect(limits[.pack] == pack && limits[.packCount] == count && limits[.inUse] == inUse)
        #expect(Limits.named(name.uppercased()) == nil)
    }
}
