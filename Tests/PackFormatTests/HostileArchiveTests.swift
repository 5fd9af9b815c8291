import Foundation
import PackFormat
import SystemPackage
import Testing

/// Archives that lie, lead out of their folder, or fill the disk: all are refused, and nothing of them is kept.
@Suite("Hostile archives")
struct HostileArchiveTests {
    typealias Entry = RawZip.Entry

    /// A raw deflate stream (RFC 1951) of a million zeros: about a thousand times its own size.
    private static let bomb: [UInt8] = {
        // One fixed Huffman block: the literal 0, then copies of 258 bytes from one byte back.
        var (bits, bytes) = ([UInt8](), [UInt8]())
        bits += [1, 1, 0] + [0, 0, 1, 1, 0, 0, 0, 0]
        for _ in 0..<4000 { bits += [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0] }
        bits += [0, 0, 0, 0, 0, 0, 0]
        for start in stride(from: 0, to: bits.count, by: 8) {
            bytes.append(
                bits[start..<min(start + 8, bits.count)].enumerated().reduce(0) { $0 | $1.element << $1.offset })
        }
        return bytes
    }()

    private static func named(_ name: String, mode: UInt32 = 0o100_644) -> RawZip {
        RawZip([Entry(name: Array(name.utf8), body: [1], mode: mode)])
    }

    static let archives: [(String, RawZip, String)] = [
        ("an absolute name", named("/tmp/evil"), "absolute"),
        ("a name that leads up", named("../evil"), "an empty part"),
        ("a name that leads up later", named("a/../../evil"), "an empty part"),
        ("a name with a dot", named("./a"), "an empty part"),
        ("a name with two slashes", named("a//b"), "an empty part"),
        ("a name of dots in a folder", named("a/.."), "an empty part"),
        ("a backslash", named("..\\evil"), "backslash"),
        ("a control character", named("a\u{7}b"), "control character"),
        ("a long part", named(String(repeating: "x", count: 256)), "255 bytes"),
        ("a long name", named(String(repeating: "x/", count: 600) + "x"), "1024 bytes"),
        ("a name that is not UTF-8", RawZip([Entry(name: [0x61, 0xC3, 0x28], body: [1])]), "UTF-8"),
        ("a link", named("link", mode: 0o120_777), "neither a file nor a folder"),
        ("a device", named("device", mode: 0o020_666), "neither a file nor a folder"),
        ("a name twice", RawZip(["a": "1", "a": "2"]), "occurs twice"),
        ("a file in a file", RawZip(["a": "1", "a/b": "2"]), "both a file and a folder"),
        ("a folder over a file", RawZip(["a/b": "2", "a": "1"]), "both a file and a folder"),
        ("a wrong checksum", RawZip([Entry(name: [0x61], body: [1, 2, 3], crc: 7)]), "CRC"),
        (
            "a size that is too small",
            RawZip([Entry(name: [0x61], body: bomb, method: 8, crc: 0, size: 1)]), "wrong size"
        ),
        (
            "a stored size beyond its end",
            RawZip([Entry(name: [0x61], body: [1], compressedSize: 5000, size: 5000)]), "are not between"
        ),
        ("an unknown method", RawZip([Entry(name: [0x61], body: [1], method: 77)]), "method"),
        (
            "an encrypted entry",
            RawZip([Entry(name: [0x61], body: [UInt8](repeating: 1, count: 20), flags: 0x0801)]), "encrypted"
        ),
        ("no entry", RawZip([] as [Entry]), "empty"),
    ]

    @Test(arguments: archives.indices)
    func refuses(index: Int) throws {
        let (what, zip, reason) = Self.archives[index]
        try withScratch { scratch in
            let file = scratch.appending("in/p.assetpack")
            try file.write(zip.bytes)
            let error = #expect(throws: PackFormatError.self, "\(what)") {
                try PackArchive.extract(file: file, into: scratch.appending("in/out"))
            }
            guard case .badArchive? = error else {
                Issue.record("\(what): \(error?.description ?? "no error") should be a bad archive")
                return
            }
            #expect(error?.description.contains(reason) == true, "\(what): \(error?.description ?? "")")
            #expect(scratch.files == ["in", "in/p.assetpack"], "\(what): something was kept")
        }
    }

    @Test(
        arguments: [
            (8_000_000_000, 1032, true), (1_032_001, 1032, true), (1_032_000, 1032, false),
            (8_000_000_000, 10, false),
        ] as [(Int64, Int64, Bool)])
    func boundsTheUnpackedSize(
        bytes: Int64, ratio: Int64, isEnough: Bool
    ) throws {
        let zeros = [UInt8](repeating: 0, count: 1_032_001)
        let entry = Entry(
            name: [0x61], body: Self.bomb, method: 8, crc: CRC32.checksum(of: zeros), size: UInt32(zeros.count))
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            try file.write(RawZip([entry]).bytes)
            var limits = PackArchive.ExtractionLimits()
            limits.bytes = bytes
            limits.ratio = ratio
            let result = Result { try PackArchive.extract(file: file, into: scratch.appending("out"), limits: limits) }
            switch result {
            case .success(let extraction): #expect(isEnough && extraction.bytes == 1_032_001)
            case .failure(let error): #expect(!isEnough && "\(error)".contains("it unpacks to more than"))
            }
        }
    }

    @Test func boundsEntries() throws {
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            try file.write(RawZip((0..<11).map { Entry(name: Array("f\($0)".utf8)) }).bytes)
            var limits = PackArchive.ExtractionLimits()
            limits.entries = 10
            #expect(throws: PackFormatError.self) {
                try PackArchive.extract(file: file, into: scratch.appending("out"), limits: limits)
            }
            limits.entries = 11
            #expect(try PackArchive.extract(file: file, into: scratch.appending("out"), limits: limits).files == 11)
        }
    }

    @Test func passesOverSignaturesAndMetadata() throws {
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            try file.write(
                RawZip(["META-INF/a": "1", "_CodeSignature/CodeResources": "2", "x": "3", "Info.plist": "4"]).bytes)
            let extraction = try PackArchive.extract(file: file, into: scratch.appending("out"))
            #expect(extraction.files == 2 && extraction.bytes == 2)
            #expect(scratch.appending("out").files == ["Info.plist", "x"])
        }
    }

    /// A real archive that is cut at every fifth byte, or has one byte changed: unpacked or refused, never a trap.
    @Test func survivesDamage() throws {
        try withScratch { scratch in
            let bytes = RawZip(["a/b.txt": "hello", "c": "world", "Info.plist": "info"]).bytes
            let file = scratch.appending("p.assetpack")
            for length in stride(from: 0, to: bytes.count, by: 5) {
                try file.write(Array(bytes[..<length]))
                #expect(throws: PackFormatError.self) {
                    try PackArchive.extract(file: file, into: scratch.appending("o"))
                }
            }
            for index in bytes.indices {
                var damaged = bytes
                damaged[index] ^= 0xFF
                try file.write(damaged)
                if (try? PackArchive.extract(file: file, into: scratch.appending("o"))) != nil {
                    try FileManager.default.removeItem(atPath: scratch.appending("o").string)
                }
                #expect(scratch.files == ["p.assetpack"], "byte \(index)")
            }
        }
    }

    @Test func anExistingFolderIsLeftUnchanged() throws {
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            try file.write(RawZip(["a": "1"]).bytes)
            try scratch.appending("out/mine").write([1])
            #expect(throws: PackFormatError.self) {
                try PackArchive.extract(file: file, into: scratch.appending("out"))
            }
            #expect(scratch.appending("out").files == ["mine"])
        }
    }

    @Test func aMissingArchiveIsNoBadArchive() throws {
        try withScratch { scratch in
            let error = #expect(throws: PackFormatError.self) {
                try PackArchive.extract(file: scratch.appending("none"), into: scratch.appending("out"))
            }
            guard case .fileNotRead? = error else {
                Issue.record("\(error?.description ?? "")")
                return
            }
            #expect(scratch.files.isEmpty)
        }
    }
}
