import Testing

@testable import PackFormat

/// Binary property lists that are damaged, endless, or far larger than they look.
@Suite("Hostile property lists", .sideBySide)
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
            ("has a key that is not a string", ["D1 1 1", "8"]),
            ("has a key twice", ["D2 1 1 2 2", "51 61", "8"]),
            ("has a string that is cut off", ["5F 11 FF FF"]),
            ("has a string that is not UTF-8", ["52 C3 28"]),
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

    /// A pack's identifier appears in file names, in lines of events and in messages.
    @Test(arguments: ["a\0b", "\0", "a\n", "\u{1B}[2J", "a\u{7F}", "a\u{85}b"])
    func aPacksIdentifierHasNoControlCharacters(name: String) throws {
        let resource = AssetPackManifest.Resource(
            bundleKey: name, url: "p", isStreamable: true, uncompressedSize: 1)
        let manifest = try AssetPackManifest(resources: [resource]).plist()
        #expect(throws: PackFormatError.self) { try AssetPackManifest(plist: manifest) }
        let table = try TagTable(packsByTag: ["t": [name]], pathsByPack: [:]).plist()
        #expect(throws: PackFormatError.self) { try TagTable(plist: table) }
    }

    /// An array of all others, which hold each other: none is deep when it is read, because its content was read
    /// before.
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

    /// Sixteen references to sixteen references, and so on: shared objects are read once, but count each time.
    @Test(arguments: [4, 8], [true, false])
    func boundsTheExpandedSizeOfAList(levels: Int, inKeys: Bool) throws {
        let head = inKeys ? "D1" : "AF 10 10"
        let arrays = (1...levels).map { level in "AF 10 10" + String(repeating: " \(level + 1)", count: 16) }
        let top = inKeys ? "\(head) \(levels + 1) 1" : "\(head)" + String(repeating: " 1", count: 16)
        let value = try? PropertyList(Self.list([top] + arrays + ["51 61"]), what: "it")
        #expect((value != nil) == (levels == 4))
    }

    /// A table where each of many tags has the same long list of packs: a small file that takes endless work.
    @Test(.timeLimit(.minutes(1)))
    func aTableOfSharedListsIsRefused() {
        let count = 3000
        var table = BinaryList()
        let string = table.add([0x51, 0x61])
        let key = table.add([0x5C] + Array("NSAssetPacks".utf8))
        let packs = table.add(
            [0xAF, 0x11] + table.number(count, 2), references: Array(repeating: string, count: count))
        let entry = table.add([0xD1], references: [key, packs])
        let tags = (0..<count).map { table.add([0x54] + Array("\(1000 + $0)".utf8)) }
        let all = table.add(
            [0xDF, 0x11] + table.number(count, 2), references: tags + Array(repeating: entry, count: count))
        let name = table.add([0x5F, 0x10, 27] + Array("NSBundleResourceRequestTags".utf8))
        let top = table.add([0xD1], references: [name, all])
        let error = #expect(throws: PackFormatError.self) { try TagTable(plist: table.bytes(top: top)) }
        #expect(error?.description.contains("expands to more than") == true, "\(error?.description ?? "")")
    }

    private static let deep = String(repeating: "<array>", count: 200_000)

    /// Text that could lower a count of levels, although the parser skips it.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "<!--" + String(repeating: "</a>", count: 200_000) + "-->",
            "<?x " + String(repeating: "</a>", count: 200_000) + "?>",
            "<![CDATA[" + String(repeating: "</a>", count: 200_000) + "]]>",
            "<!DOCTYPE plist [" + String(repeating: "</a>", count: 200_000) + "]>",
            "<plist version=\"" + String(repeating: "</a>", count: 200_000) + "\">",
            String(repeating: "</a>", count: 200_000),
        ])
    func nothingHidesTheDepth(prefix: String) {
        #expect(throws: PackFormatError.self) {
            try PropertyList(Array("<?xml version=\"1.0\"?>\(prefix)<plist>\(Self.deep)".utf8), what: "it")
        }
    }

    /// Bytes that repeated searches for the end of each tag would read again and again.
    @Test(.timeLimit(.minutes(1)), arguments: ["<a", "<!--", "<?", "<![CDATA[", "</", "<", "-->", "<a b='"])
    func readingTakesLinearTime(text: String) {
        #expect(throws: PackFormatError.self) {
            try PropertyList(Array("<plist>\(String(repeating: text, count: 400_000))".utf8), what: "it")
        }
    }

    @Test(arguments: [
        (
            "<!DOCTYPE plist [<!ENTITY a \"aaaaaaaaaa\">]><plist><string>&a;</string></plist>",
            "its own document type"
        ),
        ("<!DOCTYPE plist [ %x; ]><plist/>", "its own document type"),
        ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist/>", "its encoding is not UTF-8"),
        ("<plist a='>'><dict/></plist>", "an attribute has a '>'"),
    ])
    func refusesXMLThatNoToolWrites(text: String, reason: String) {
        let error = #expect(throws: PackFormatError.self) { try PropertyList(Array(text.utf8), what: "it") }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    /// Found by `Fuzz/run manifest`: Foundation's parser trapped on such a number.
    @Test(arguments: ["integer", "real", "string", "key", "date", "data", "true"])
    func refusesXMLThatIsNotUTF8(element: String) {
        for bytes in [[0xC3], [0xFF], [0xF0, 0x9F], [0xED, 0xA0, 0x80], [0x80], [0x31, 0xC3, 0x28]] as [[UInt8]] {
            let list =
                Array("<plist><dict><key>a</key><\(element)>".utf8) + bytes + Array("</\(element)></dict></plist>".utf8)
            #expect(throws: PackFormatError.self) { try PropertyList(list, what: "it") }
        }
    }

    @Test func readsTheOutputOfApplesTools() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><!-- </dict><key>x</key> --><dict><key>a</key><array><string>it's &lt;1&gt;</string></array>
            </dict></plist>
            """
        #expect(try PropertyList(Array(text.utf8), what: "it") == .dictionary(["a": .array([.string("it's <1>")])]))
    }

    /// Every cut throws, and every changed byte reads or throws; nothing traps.
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
        #expect(error?.description.contains("the limit is 16777216") == true)
    }
}
