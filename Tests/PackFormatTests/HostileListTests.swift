import Testing

@testable import PackFormat

/// Binary property lists that are damaged, endless, or far larger than they look.
@Suite("Hostile property lists")
struct HostileListTests {
    /// A list of these objects, in hex, the first on top; offsets have two bytes, references one.
    private static func list(_ objects: [String]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count >> 8))
            offsets.append(UInt8(bytes.count & 0xFF))
            for byte in object.split(separator: " ") { bytes.append(UInt8(byte, radix: 16) ?? 0) }
        }
        let table = bytes.count
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [objects.count, 0, table] {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(number >> shift & 0xFF)) }
        }
        return bytes
    }

    private static func hex(_ number: Int) -> String { String(number, radix: 16) }

    @Test(
        arguments: [
            ("contains itself", ["A1 0"]),
            ("contains itself through another", ["A1 1", "A1 0"]),
            ("is deep", (1...200).map { "A1 \(hex($0))" } + ["8"]),
            ("is deep, and read from its ground", deepFromTheGround),
            ("names an object that is not there", ["A1 9"]),
            ("has more entries than bytes", ["AF 13 7F FF FF FF FF FF FF FF"]),
            ("has a key that is no string", ["D1 1 1", "8"]),
            ("has a key twice", ["D2 1 1 2 2", "51 61", "8"]),
            ("has a string that is cut off", ["5F 11 FF FF"]),
            ("has a string that is no UTF-8", ["52 C3 28"]),
            ("has a lone surrogate", ["61 D8 0"]),
            ("has a number that is cut off", ["13 0 0"]),
            ("has a huge number", ["14 FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF FF"]),
            ("has a value of no kind", ["F0"]),
        ] as [(String, [String])])
    func refuses(what: String, objects: [String]) {
        #expect(throws: PackFormatError.self, "a list that \(what)") {
            try PropertyList(Self.list(objects), what: "it")
        }
    }

    /// An array of all the others, which hold each other: none is deep when it is read, because what it holds was read.
    private static var deepFromTheGround: [String] {
        let top = "AF 10 63" + (1...99).reversed().map { " " + hex($0) }.joined()
        return [top] + (2...99).map { "A1 \(hex($0))" } + ["8"]
    }

    @Test(arguments: [
        ("is empty", ""), ("is text", "hello"), ("is only a head", "bplist00"),
        ("is a head and zeros", "bplist00" + String(repeating: "\0", count: 40)),
        ("is deep XML", "<plist>" + String(repeating: "<array>", count: 200_000)),
        ("is XML that is cut off", "<?xml version=\"1.0\"?><plist><dict><key>a"),
    ])
    func refusesTexts(what: String, text: String) {
        #expect(throws: PackFormatError.self, "a list that \(what)") {
            try PropertyList(Array(text.utf8), what: "it")
        }
    }

    /// Sixteen references to sixteen references, and so on: four billion values, if they were written out.
    @Test func sharesWhatIsReferredToManyTimes() throws {
        let levels = (1...8).map { level in "AF 10 10" + String(repeating: " \(level)", count: 16) }
        let value = try PropertyList(Self.list(levels + ["51 61"]), what: "it")
        guard case .array(let top) = value else {
            Issue.record("the top should be an array")
            return
        }
        #expect(top.count == 16)
    }

    /// Every cut and every changed byte either reads or throws; nothing traps.
    @Test func survivesDamage() throws {
        let bytes = try AssetPackManifest(resources: [PropertyListTests.resource]).plist()
        for length in 0..<bytes.count {
            #expect(throws: PackFormatError.self) { try AssetPackManifest(plist: Array(bytes[..<length])) }
        }
        for index in bytes.indices {
            for flip in [0x01, 0x10, 0x80, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[index] ^= flip
                _ = try? AssetPackManifest(plist: damaged)
            }
        }
    }

    @Test func refusesTooManyBytes() {
        let error = #expect(throws: PackFormatError.self) {
            try PropertyList([UInt8](repeating: 0x20, count: PropertyList.mostBytes + 1), what: "it")
        }
        #expect(error?.description.contains("at most 16777216 are read") == true)
    }
}
