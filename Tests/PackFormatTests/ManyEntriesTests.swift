import Foundation
import PackFormat
import SystemPackage
import Testing

/// Archives with more entries than any pack has: limited in time, in memory, and in the files they leave.
@Suite("Archives of many entries", .sideBySide, .timeLimit(.minutes(2)))
struct ManyEntriesTests {
    /// An archive of `count` empty files in a folder that readers ignore; without `hasFiles`, only the directory.
    private static func archive(_ count: Int, hasFiles: Bool = true) -> [UInt8] {
        let one = RawZip([.init(name: Array("META-INF/000000".utf8))]).bytes
        let (local, record) = (one[..<30], one[45..<91])
        var (bytes, directory) = ([UInt8](), [UInt8]())
        bytes.reserveCapacity(count * 106 + 98)
        directory.reserveCapacity(count * 61)
        for number in 0..<count {
            let name = Array("META-INF/\(1_000_000 + number)".utf8.dropFirst(10))
            directory += record[..<87]
            directory += little(bytes.count)
            directory += "META-INF/".utf8 + name
            if hasFiles { bytes += local + "META-INF/".utf8 + name }
        }
        let (start, size) = (bytes.count, directory.count)
        let end = RawZip(
            [] as [RawZip.Entry],
            .init(isLarge: true, largeCount: count, largeSize: size, largeStart: start, locator: start + size))
        return bytes + directory + end.bytes
    }

    private static func little(_ value: Int) -> [UInt8] {
        [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value >> 16 & 0xFF), UInt8(value >> 24 & 0xFF)]
    }

    /// The default limit: exactly 100,000 entries, and one more.
    @Test(arguments: [(100_000, true), (100_001, false)])
    func aHundredThousandAndNoMore(count: Int, isAllowed: Bool) throws {
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            try file.write(Self.archive(count))
            let result = Result { try PackArchive.extract(file: file, into: scratch.appending("out")) }
            switch result {
            case .success(let extraction): #expect(isAllowed && extraction.files == 0)
            case .failure(let error): #expect(!isAllowed && "\(error)".contains("more than 100000 entries"))
            }
            #expect(scratch.files == (isAllowed ? ["out", "p.assetpack"] : ["p.assetpack"]))
        }
    }

    /// libarchive holds the whole directory before it reports the first entry, so the bytes that it may read are
    /// limited.
    @Test(arguments: [false, true])
    func aHugeDirectoryIsNotReadToItsEnd(forInfo: Bool) throws {
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            try file.write(Self.archive(600_000, hasFiles: false))
            let error = #expect(throws: PackFormatError.self) {
                if forInfo {
                    _ = try PackArchive.info(of: file)
                } else {
                    _ = try PackArchive.extract(file: file, into: scratch.appending("out"))
                }
            }
            #expect(
                error?.description.contains("its directory has more than 16000000 bytes") == true,
                "\(error?.description ?? "")")
            #expect(scratch.files == ["p.assetpack"])
        }
    }

    /// Many names for the same bytes, so that a small archive would unpack to a large size.
    @Test func entriesThatOverlapAreRefused() throws {
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            let body = [UInt8](repeating: 7, count: 60_000)
            let others = (1..<500).map { number in
                RawZip.Entry(
                    name: Array(String(10_000 + number).utf8.dropFirst()), crc: CRC32.checksum(of: body),
                    compressedSize: 60_000, size: 60_000, place: 0)
            }
            try file.write(RawZip([.init(name: Array("0000".utf8), body: body)] + others).bytes)
            let error = #expect(throws: PackFormatError.self) {
                try PackArchive.extract(file: file, into: scratch.appending("out"))
            }
            #expect(
                error?.description.contains("its header has the name '0000'") == true, "\(error?.description ?? "")")
            #expect(scratch.files == ["p.assetpack"])
        }
    }
}
