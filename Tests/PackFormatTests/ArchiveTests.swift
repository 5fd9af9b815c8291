import Foundation
import SystemPackage
import Testing

@testable import PackFormat

/// Written archives: the layout of Xcode's exports, and the same bytes each time.
@Suite("Archives")
struct ArchiveTests {
    /// A folder with files in folders, names of all kinds, and an empty file.
    private func source(in scratch: FilePath) throws -> FilePath {
        let source = scratch.appending("source")
        try source.appending("Info.plist").write(Array("info".utf8))
        try source.appending("a/b/deep.bin").write((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try source.appending("a/é ü.txt").write(Array("text".utf8))
        try source.appending("z.empty").write([])
        try source.appending("Z.first").write([1])
        return source
    }

    @Test func writtenArchivesReadBack() throws {
        try withScratch { scratch in
            let source = try source(in: scratch)
            let file = scratch.appending("p.assetpack")
            let size = try PackArchive.write(directory: source, to: file)
            #expect(try file.read().count == Int(size))
            var told: [Int64] = []
            let target = scratch.appending("target")
            let extraction = try PackArchive.extract(file: file, into: target) { told.append($0) }
            #expect(extraction.files == 5 && extraction.bytes == 300_009)
            #expect(told == told.sorted() && told.last == 300_009 && told.count >= 5)
            #expect(target.files == source.files)
            for path in ["Info.plist", "a/b/deep.bin", "a/é ü.txt", "z.empty", "Z.first"] {
                #expect(try target.appending(path).read() == source.appending(path).read())
            }
        }
    }

    @Test func entriesAreLaidOutAsByXcode() throws {
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            _ = try PackArchive.write(directory: source(in: scratch), to: file)
            let entries = try LocalEntry.all(in: file.read())
            #expect(
                entries.map(\.name) == [
                    "META-INF/", "META-INF/com.apple.ZipMetadata.plist", "Z.first", "a/", "a/b/", "a/b/deep.bin",
                    "a/é ü.txt", "z.empty", "Info.plist",
                ])
            #expect(entries.allSatisfy { $0.method == 0 && $0.flags == 0x0800 })
            #expect(entries.allSatisfy { $0.versionNeeded == ($0.name.hasSuffix("/") ? 20 : 10) })
            #expect(entries.allSatisfy { $0.crc == CRC32.checksum(of: $0.body) })
            let list = try PropertyListSerialization.propertyList(from: Data(entries[1].body), format: nil)
            let metadata = try #require(list as? [String: Int])
            #expect(
                metadata == [
                    "StandardDirectoryPerms": 16877, "StandardFilePerms": -32348, "RecordCount": 7,
                    "TotalUncompressedBytes": 300_009, "Version": 2,
                ])
        }
    }

    @Test func theSameFilesGiveTheSameBytes() throws {
        try withScratch { scratch in
            let source = try source(in: scratch)
            let files = ["one", "two"].map { scratch.appending($0) }
            _ = try PackArchive.write(directory: source, to: files[0])
            setenv("TZ", "Pacific/Apia", 1)
            defer { unsetenv("TZ") }
            tzset()
            _ = try PackArchive.write(directory: source, to: files[1])
            #expect(try files[0].read() == files[1].read())
        }
    }

    @Test func foldersAreMadeForItems() throws {
        try withScratch { scratch in
            let file = scratch.appending("p.assetpack")
            let items = [
                PackArchive.Item(path: "Info.plist", content: .bytes([1]), modified: 0),
                PackArchive.Item(path: "x/y/z", content: .bytes([2, 3]), modified: 5_000_000_000),
            ]
            let size = try PackArchive.write(items, to: file)
            #expect(
                try LocalEntry.all(in: file.read()).dropFirst(2).map(\.name) == ["x/", "x/y/", "x/y/z", "Info.plist"])
            #expect(try Int(size) == file.read().count)
        }
    }

    @Test func refusesALinkAndLeavesNothing() throws {
        try withScratch { scratch in
            let source = try source(in: scratch)
            try FileManager.default.createSymbolicLink(
                atPath: source.appending("link").string, withDestinationPath: "/etc/passwd")
            let file = scratch.appending("p.assetpack")
            #expect(throws: PackFormatError.self) { try PackArchive.write(directory: source, to: file) }
            #expect(!scratch.files.contains { $0.hasPrefix("p.") })
        }
    }

    @Test func aFileThatGrowsIsRefused() throws {
        try withScratch { scratch in
            let file = scratch.appending("grows")
            try file.write([1, 2, 3])
            for size in [2, 4] as [Int64] {
                let item = PackArchive.Item(path: "a", content: .file(file, size: size), modified: 0)
                let error = #expect(throws: PackFormatError.self) {
                    try PackArchive.write([item], to: scratch.appending("p"))
                }
                #expect(error?.description.contains("its size changed while it was read") == true)
            }
            #expect(scratch.files == ["grows"])
        }
    }

    @Test(arguments: [
        (Errno.noSpace, true), (.diskQuotaExceeded, true), (.fileTooLarge, true), (.permissionDenied, false),
    ])
    func aLackOfRoomHasItsOwnError(error: Errno, hasNoRoom: Bool) {
        #expect((PackFormatError.writing("/x", error) == .noSpace("/x", error)) == hasNoRoom)
    }
}

/// The local header of an entry, and its bytes.
private struct LocalEntry {
    let name: String
    let versionNeeded: Int
    let flags: Int
    let method: Int
    let crc: UInt32
    let body: [UInt8]

    static func all(in file: [UInt8]) throws -> [LocalEntry] {
        func number(_ offset: Int, _ size: Int) -> Int {
            (0..<size).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
        }
        var (entries, offset) = ([LocalEntry](), 0)
        while number(offset, 4) == 0x0403_4B50 {
            let name = offset + 30
            let body = name + number(offset + 26, 2) + number(offset + 28, 2)
            let end = body + number(offset + 18, 4)
            entries.append(
                LocalEntry(
                    name: String(decoding: file[name..<(name + number(offset + 26, 2))], as: UTF8.self),
                    versionNeeded: number(offset + 4, 2), flags: number(offset + 6, 2), method: number(offset + 8, 2),
                    crc: UInt32(number(offset + 14, 4)), body: Array(file[body..<end])))
            offset = end
        }
        return entries
    }
}
