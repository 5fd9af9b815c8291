import PackFormat

/// Archives with one fault each, and the results of other programs.
enum HostileArchives {
    typealias Row = ArchiveRuleTests.Row
    private typealias Entry = RawZip.Entry

    private static let (a, b) = (Entry("a", "alpha"), Entry("b", "beta"))
    private static let plain = RawZip([a, b])

    static let rows = atTheEdges + inTheEnd + inHeaders + inNames + inStreams + inOtherFormats

    /// An archive with an entry of five bytes whose local header says something else.
    private static func local(_ local: Entry.Local) -> [UInt8] {
        RawZip([.init(name: a.name, body: a.body, local), b]).bytes
    }

    private static func large(_ extra: [UInt8]) -> [UInt8] {
        var entry = a
        (entry.size, entry.compressedSize, entry.extra) = (.max, .max, extra)
        return RawZip([entry]).bytes
    }

    /// The bytes of an archive's entries, without its directory.
    private static func entries(_ entries: [Entry]) -> [UInt8] {
        let bytes = RawZip(entries).bytes
        let directory = bytes.indices.first { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) } ?? 0
        return Array(bytes[..<directory])
    }

    private static let atTheEdges: [Row] = {
        var inFront = plain
        inFront.front = Array("#!/bin/sh\n".utf8)
        var between = plain
        between.gap = entries([Entry("hidden", "gamma")])
        let inner = entries([b])
        return [
            Row(
                "bytes in front that offsets count", inFront.bytes, "10 bytes precede its first entry",
                unzip: "a b", python: "a b"),
            Row(
                "bytes in front that offsets do not count", Array("MZ\0\0".utf8) + plain.bytes,
                "its directory should end at byte", unzip: "a b, warns", python: "a b"),
            Row(
                "bytes behind", plain.bytes + Array("junk".utf8), "does not end where the file ends", unzip: "a b",
                python: "a b"),
            Row(
                "an archive behind", plain.bytes + RawZip(["c": "gamma"]).bytes, "its directory should end at byte",
                unzip: "c, warns", python: "c"),
            Row(
                "an entry that is not in the directory", between.bytes, "belong to no entry", unzip: "a b",
                python: "a b"),
            Row(
                "an entry within another",
                RawZip([.init(name: [0x61], body: inner), .init(name: [0x62], body: b.body, place: 31)]).bytes,
                "entries overlap", unzip: "refuses", python: "a b"),
            Row(
                "two names for the same bytes", RawZip([a, .init(name: [0x62], body: a.body, place: 0)]).bytes,
                "its header has the name 'a', but the directory has 'b'", unzip: "refuses", python: "refuses"),
            Row(
                "an entry behind the directory", RawZip([a, .init(name: [0x62], body: b.body, place: 1 << 30)]).bytes,
                "its header should be at byte 1073741824", unzip: "refuses", python: "refuses"),
        ]
    }()

    private static let inTheEnd: [Row] = {
        let second = RawZip([], .init(count: 1, size: 47, start: 118)).bytes
        return [
            Row(
                "an end record in the comment", RawZip([a, b], .init(comment: second)).bytes,
                "its directory should end at byte", unzip: "refuses", python: "refuses"),
            Row(
                "the mark of an end record in the comment", RawZip([a, b], .init(comment: [0x50, 0x4B, 5, 6])).bytes,
                "does not end where the file ends", unzip: "a b", python: "refuses"),
            Row(
                "a count that is too small", RawZip([a, b], .init(count: 1)).bytes,
                "its end record counts 1 entries, but its directory has 2", unzip: "refuses", python: "a b"),
            Row(
                "a count that is too large", RawZip([a, b], .init(count: 3)).bytes,
                "its end record counts 3 entries, but its directory has 2", unzip: "refuses", python: "a b"),
            Row(
                "a directory without its first entry", RawZip([a, b], .init(count: 1, size: 47, start: 118)).bytes,
                "36 bytes precede its first entry", unzip: "b", python: "b"),
            Row(
                "a directory of nearly 2^32 bytes", RawZip([a, b], .init(size: 0xFFFF_FFF0, start: 0xFFFF_FFF0)).bytes,
                "its directory should end at byte", unzip: "refuses", python: "refuses"),
            Row(
                "a ZIP64 record with another count", RawZip([a, b], .init(count: 1, isLarge: true)).bytes,
                "has the entries here 1, but the ZIP64 end record", unzip: "refuses", python: "a b"),
            Row(
                "a ZIP64 record with another directory", RawZip([a, b], .init(size: 47, isLarge: true)).bytes,
                "has the directory's size 47", unzip: "refuses", python: "a b"),
            Row(
                "a ZIP64 record of 2^64 entries", RawZip([a, b], .init(isLarge: true, largeCount: -1)).bytes,
                "counts 18446744073709551615 entries", unzip: "refuses", python: "a b"),
            Row(
                "a ZIP64 directory of nearly 2^64 bytes",
                RawZip([a, b], .init(isLarge: true, largeSize: -1, largeStart: -1)).bytes,
                "its directory should end at byte",
                unzip: "refuses", python: "refuses"),
            Row(
                "a ZIP64 locator that leads elsewhere", RawZip([a, b], .init(isLarge: true, locator: 0)).bytes,
                "there is no ZIP64 end record", unzip: "a b", python: "a b"),
            Row(
                "a ZIP64 locator that leads out of the file", RawZip([a, b], .init(isLarge: true, locator: -1)).bytes,
                "does not point to a record", unzip: "refuses", python: "a b"),
        ]
    }()

    private static let inHeaders: [Row] = [
        Row(
            "another size in front", local(.init(compressedSize: 4, size: 4)), "has the packed size 4",
            unzip: "refuses", python: "a b"),
        Row("another checksum in front", local(.init(crc: 1)), "has the checksum 1,", unzip: "refuses", python: "a b"),
        Row(
            "another method in front", local(.init(method: 8)), "has the method 8, but the directory has 0",
            unzip: "refuses", python: "a b"),
        Row("other flags in front", local(.init(flags: 0x0808)), "has the flags", unzip: "refuses", python: "a b"),
        Row(
            "two sizes of what is stored", RawZip([.init(name: a.name, body: a.body, size: 3)]).bytes,
            "it is not compressed",
            unzip: "a, warns", python: "refuses"),
        Row(
            "a size of nearly 2^64", large([1, 0, 16, 0] + [UInt8](repeating: 0xFF, count: 16)), "2^63 or more",
            unzip: "refuses", python: "refuses"),
        Row(
            "a ZIP64 field that is cut off", large([1, 0, 8, 0, 5, 0, 0, 0, 0, 0, 0, 0]), "its ZIP64 field is cut off",
            unzip: "refuses", python: "refuses"),
        Row(
            "two ZIP64 fields",
            large(([1, 0, 16, 0, 5, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0] as [UInt8]).repeated(2)),
            "two ZIP64 fields", unzip: "refuses", python: "a"),
        Row(
            "an extra field that is cut off",
            RawZip([.init(name: a.name, body: a.body, extra: [0xAA, 0xBB, 9, 0])]).bytes,
            "its extra field is cut off", unzip: "a", python: "refuses"),
        Row(
            "a file that is encrypted",
            RawZip([.init(name: a.name, body: .init(repeating: 1, count: 20), flags: 1)]).bytes,
            "it is encrypted", unzip: "refuses", python: "refuses"),
    ]

    private static let inNames: [Row] = [
        Row(
            "another name in front", local(.init(name: [0x78])), "has the name 'x', but the directory has 'a'",
            unzip: "a b, warns", python: "refuses"),
        Row(
            "another name in an extra field",
            RawZip([.init(name: a.name, body: a.body, extra: [0x75, 0x70, 6, 0, 1, 0x43, 0xBE, 0xB7, 0xE8, 0x78])])
                .bytes,
            "its extra field gives it another name", unzip: "a", python: "a"),
        Row("a name twice", RawZip(["a": "1", "a": "2"]).bytes, "occurs twice", unzip: "a a", python: "a a"),
        Row(
            "a name twice, once as UTF-8",
            RawZip([.init(name: Array("é".utf8), body: [1], flags: 0), .init(name: Array("é".utf8), body: [2])]).bytes,
            "occurs twice", unzip: "é é", python: "├⌐ é"),
        Row(
            "a name twice in what is passed over", RawZip(["META-INF/a": "1", "META-INF/a": "2", "b": "3"]).bytes,
            "occurs twice", unzip: "META-INF/a META-INF/a b", python: "META-INF/a META-INF/a b"),
        Row(
            "a name in two normalisations",
            RawZip([.init(name: Array("caf\u{E9}".utf8)), .init(name: Array("cafe\u{301}".utf8), flags: 0)]).bytes,
            "two Unicode normalisations", unzip: "café café", python: "café cafe╠ü"),
        Row(
            "a name of 64 KiB", RawZip([.init(name: .init(repeating: 0x61, count: 65_535))]).bytes, "1024 bytes",
            unzip: "aaaaaaaaaaaaaaaaaaaa, warns", python: "aaaaaaaaaaaaaaaaaaaa"),
        Row(
            "a folder that looks like a file", RawZip([.init(name: a.name, mode: 0o040_755), b]).bytes,
            "its mode says that it is a folder", unzip: "a b", python: "a b"),
        Row(
            "a folder with content", RawZip([.init(name: Array("a/".utf8), body: [1], mode: 0o040_755), b]).bytes,
            "it is a folder with content", unzip: "a/ b", python: "a/ b"),
    ]

    private static let inStreams: [Row] = {
        var wrong = a.streamed()
        wrong.trailer[4] ^= 1
        var without = a.streamed()
        without.trailer = []
        // The bytes before the descriptor, the descriptor, and an entry that only a streaming reader sees.
        let body = Array("alpha".utf8)
        let hidden = body + a.streamed().trailer + entries([Entry("hidden", "gamma")])
        return [
            Row(
                "a data descriptor with another checksum", RawZip([wrong, b]).bytes,
                "differs from the directory",
                unzip: "a b", python: "a b"),
            Row(
                "no data descriptor", RawZip([without, b]).bytes, "a data descriptor should follow",
                unzip: "refuses", python: "a b"),
            Row(
                "a data descriptor among the bytes", RawZip([Entry(name: a.name, body: hidden).streamed(), b]).bytes,
                "its bytes contain a data descriptor", unzip: "a b", python: "a b"),
        ]
    }()

    private static let inOtherFormats: [Row] = {
        let zip = plain.bytes
        let count = [UInt8(zip.count & 0xFF), UInt8(zip.count >> 8)]
        let gzip = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + count + count.map { ~$0 } + zip
        var image = [UInt8](repeating: 0, count: 40_000)
        image.replaceSubrange(32738..<32743, with: Array("CD001".utf8))
        return [
            Row(
                "a gzip of an archive", gzip + .init(repeating: 0, count: 8), "its end record at byte",
                unzip: "a b, warns", python: "a b"),
            Row(
                "an archive behind the mark of 7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C] + zip,
                "its directory should end",
                unzip: "a b, warns", python: "a b"),
            Row("a tar archive at the same time", tar, "it is also a tar archive", unzip: "a", python: "a"),
            Row(
                "a disk image at the same time", RawZip([.init(name: a.name, body: image)]).bytes, "disk image",
                unzip: "a", python: "a"),
            Row(
                "text", Array("<html>no archive</html>".utf8), "it is not a zip archive", unzip: "refuses",
                python: "refuses"),
            Row("nothing", [], "it is not a zip archive", unzip: "refuses", python: "refuses"),
            Row(
                "no entry", RawZip([] as [RawZip.Entry]).bytes, "it is an empty zip archive",
                unzip: "Empty zipfile., warns", python: ""),
        ]
    }()

    /// An archive whose first 512 bytes are also the header of a tar archive, with a valid checksum.
    private static let tar: [UInt8] = {
        var body = [UInt8](repeating: 0, count: 2048)
        func put(_ text: String, at place: Int) {
            body.replaceSubrange((place - 31)..<(place - 31 + text.utf8.count), with: Array(text.utf8))
        }
        for place in [100, 108, 116] { put("0000644\0", at: place) }
        for place in [124, 136] { put("00000000000\0", at: place) }
        put("        0", at: 148)
        put("ustar\u{0}00", at: 257)
        // The entry's own checksum comes after its bytes, so it does not change tar's checksum.
        let head = RawZip([Entry(name: a.name, body: body).streamed()]).bytes.prefix(512)
        let sum = String(head.reduce(0) { $0 + Int($1) }, radix: 8)
        put(String(repeating: "0", count: 6 - sum.count) + sum + "\0 ", at: 148)
        return RawZip([Entry(name: a.name, body: body).streamed()]).bytes
    }()
}

extension [UInt8] {
    fileprivate func repeated(_ times: Int) -> [UInt8] { Array([Self](repeating: self, count: times).joined()) }
}
