import Glibc
import PackFormat
import SystemPackage
import Testing

@testable import AssetPacks

/// Packs that are folders: copies of files of any size, holes included.
@Suite("Copies")
struct FileCopyTests {
    /// Data, a hole, data longer than one piece, and a hole at the end.
    @Test func keepsBytesAndHoles() throws {
        try withScratch { scratch in
            let source = scratch.appending("source")
            let file = try FileDescriptor.open(source, .writeOnly, options: .create, permissions: .ownerReadWrite)
            let (first, second) = (
                Array(repeating: UInt8(1), count: 5000), Array(repeating: UInt8(2), count: 3_000_001)
            )
            try file.closeAfter {
                try file.writeAll(toAbsoluteOffset: 0, first)
                try file.writeAll(toAbsoluteOffset: 4 << 20, second)
                #expect(ftruncate(file.rawValue, 10 << 20) == 0)
            }
            let target = scratch.appending("target")
            try FileCopy.copy(source, size: 10 << 20, to: target)
            let bytes = try target.read()
            #expect(bytes.count == 10 << 20)
            #expect(Array(bytes[..<5000]) == first && Array(bytes[(4 << 20)..<(4 << 20) + 3_000_001]) == second)
            #expect(
                bytes[5000..<(4 << 20)].allSatisfy { $0 == 0 }
                    && bytes[((4 << 20) + 3_000_001)...].allSatisfy { $0 == 0 })
            var status = stat()
            #expect(stat(target.string, &status) == 0)
            // In blocks of 512 bytes: only the written data, not all 10 MiB.
            #expect(status.st_blocks < (6 << 20) / 512)
        }
    }

    @Test func refusesLinksAndChangedFiles() throws {
        try withScratch { scratch in
            try scratch.appending("a").write("12345")
            #expect(symlink(scratch.appending("a").string, scratch.appending("link").string) == 0)
            #expect(throws: PackFormatError.self) {
                try FileCopy.copy(scratch.appending("a"), size: 4, to: scratch.appending("b"))
            }
            #expect(throws: PackFormatError.self) {
                try FileCopy.copy(scratch.appending("link"), size: 5, to: scratch.appending("b"))
            }
            try FileCopy.copy(scratch.appending("a"), size: 5, to: scratch.appending("b"))
            #expect(throws: PackFormatError.self) {
                try FileCopy.copy(scratch.appending("a"), size: 5, to: scratch.appending("b"))
            }
            #expect(try scratch.appending("b").read() == Array("12345".utf8))
        }
    }
}
