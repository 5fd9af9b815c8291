import Foundation
import Glibc
import PackFormat
import SystemPackage
import Testing

/// Archives at the edge of validity.
@Suite("Odd archives")
struct OddArchiveTests {
    /// No locale is set here, as in every program that requests none.
    @Test(arguments: ["Grüße.txt", "日本語/ファイル.txt", "e\u{301}.txt", "🎮.bin"], [0x0800, 0] as [UInt16])
    func namesBeyondASCIIAreUnpacked(_ name: String, flags: UInt16) throws {
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            try file.write(RawZip([.init(name: Array(name.utf8), body: [1], flags: flags)]).bytes)
            _ = try PackArchive.extract(file: file, into: scratch.appending("out"))
            // Equal as text: libarchive composes names that are marked as UTF-8 (NFC).
            #expect(scratch.appending("out").files.contains(name))
        }
    }

    @Test(
        arguments: [
            ("a name that is not UTF-8 and does not say that it is", .init(name: [0x63, 0xE9], body: [1], flags: 0)),
            ("encrypted", .init(name: [0x61], body: [UInt8](repeating: 7, count: 40), flags: 1)),
            ("smaller than it says", .init(name: [0x61], body: [1], compressedSize: 1 << 30, size: 1 << 30)),
            ("deflated data that is none", .init(name: [0x61], body: [0xFF, 0xFF, 0xFF], method: 8, size: 4000)),
        ] as [(String, RawZip.Entry)])
    func refused(what: String, entry: RawZip.Entry) throws {
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            try file.write(RawZip([.init(name: Array("good".utf8), body: [1]), entry]).bytes)
            #expect(throws: PackFormatError.self, "\(what)") {
                try PackArchive.extract(file: file, into: scratch.appending("out"))
            }
            #expect(scratch.files == ["p.assetpack"])
        }
    }

    /// Whatever a mode or a name claims, only regular files and folders result, all of them inside.
    @Test(arguments: [0o010_666, 0o020_666, 0o060_666, 0o120_777, 0o140_777, 0o150_000, 0] as [UInt32])
    func onlyFilesAndFoldersAreUnpacked(mode: UInt32) throws {
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            try file.write(RawZip([.init(name: Array("odd\0/../x".utf8), body: [1], mode: mode)]).bytes)
            _ = try? PackArchive.extract(file: file, into: scratch.appending("out"))
            for name in scratch.files {
                var status = stat()
                #expect(lstat(scratch.appending(name).string, &status) == 0)
                #expect([S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT), "\(name)")
                #expect(name == "p.assetpack" || name.hasPrefix("out"))
            }
        }
    }

    /// A run of one letter (RFC 1951 §3.2.6): 13 bits stand for 258 bytes, so one byte of the archive unpacks to almost
    /// 159.
    @Test(arguments: [(Int64(1032), true), (100, false)])
    func deflatedBombs(ratio: Int64, isAllowed: Bool) throws {
        let count = 1 + 258 * 8000
        // Block header, the letter A, eight thousand times length 258 at distance 1, end of block.
        let bits = "110" + "01110001" + String(repeating: "1100010100000", count: 8000) + "0000000"
        let digits = bits.utf8.map { $0 & 1 }
        let body = stride(from: 0, to: digits.count, by: 8).map { start in
            digits[start..<min(start + 8, digits.count)].reversed().reduce(UInt8(0)) { $0 << 1 | $1 }
        }
        let crc = CRC32.checksum(of: [UInt8](repeating: 0x41, count: count))
        let entry = RawZip.Entry(name: [0x61], body: body, method: 8, crc: crc, size: UInt32(count))
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            try file.write(RawZip([entry]).bytes)
            var limits = PackArchive.ExtractionLimits()
            limits.ratio = ratio
            let bytes = try? PackArchive.extract(file: file, into: scratch.appending("out"), limits: limits).bytes
            #expect(bytes == (isAllowed ? Int64(count) : nil))
            if !isAllowed { #expect(scratch.files == ["p.assetpack"]) }
        }
    }

    @Test(arguments: [["unzip", "-tqq"], ["python3", "-m", "zipfile", "-t"]])
    func otherProgramsReadOurArchives(command: [String]) throws {
        try withScratch { scratch in
            for name in ["Info.plist", "a/b.bin", "ü.txt"] {
                try scratch.appending("in").appending(name).write([1, 2])
            }
            let file = scratch.appending("p.assetpack")
            _ = try PackArchive.write(directory: scratch.appending("in"), to: file)
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = command + [file.string]
            try process.run()
            process.waitUntilExit()
            // 127: the program is not on this machine.
            #expect([0, 127].contains(process.terminationStatus))
        }
    }
}
