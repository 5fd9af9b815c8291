import Foundation
import Glibc
import SystemPackage
import Testing

@testable import PackFormat

/// Files that another program left: anything but a regular file is refused, and nothing blocks.
@Suite("Contained files", .timeLimit(.minutes(1)))
struct ContainedFileTests {
    static let refused: [(String, String, @Sendable (FilePath) -> CInt)] = [
        ("a pipe", "is a pipe", { mkfifo($0.string, 0o600) }),
        ("a folder", "is a folder", { mkdir($0.string, 0o700) }),
        ("a link to a device", "leads out of its folder", { symlink("/dev/zero", $0.string) }),
        ("a link to a file elsewhere", "leads out of its folder", { symlink("../other", $0.string) }),
        ("a link to the folder itself", "leads out of its folder", { symlink(".", $0.string) }),
        ("a link in a circle", "could not be opened", { symlink("it", $0.string) }),
        ("nothing", "does not exist", { _ in 0 }),
    ]

    @Test(arguments: refused.indices) func refuses(index: Int) throws {
        let (what, reason, make) = Self.refused[index]
        try withScratch { scratch in
            try scratch.appending("other").write([1])
            let folder = scratch.appending("folder")
            try folder.appending("file").write([1])
            let path = folder.appending("it")
            #expect(make(path) == 0)
            do {
                _ = try ContainedFile(path, below: folder)
                Issue.record("\(what) was opened")
            } catch let fault as ContainedFile.Fault {
                #expect(fault.description.contains(reason), "\(fault)")
            }
        }
    }

    @Test(arguments: ["file", "link", "inner/link"]) func digestsFilesWithinTheFolder(name: String) throws {
        try withScratch { scratch in
            let folder = scratch.appending("folder")
            try folder.appending("file").write(Array("abc".utf8))
            try folder.appending("inner/other").write([])
            #expect(symlink("file", folder.appending("link").string) == 0)
            #expect(symlink("../file", folder.appending("inner/link").string) == 0)
            // The path to the folder may be a link itself.
            #expect(symlink("folder", scratch.appending("alias").string) == 0)
            let alias = scratch.appending("alias")
            let file = try ContainedFile(alias.appending(name), below: alias)
            #expect(file.size == 3)
            #expect(try file.sha256Hex() == Digest.sha256Hex(Array("abc".utf8)))
        }
    }

    /// The zeros are a hole or were written; the bytes after them must be `abc`.
    @Test(
        arguments: [
            ([UInt8](), "abc", nil), ([0], "abc", nil), ([0, 0, 0], "abd", 5_000_002), ([], "ab", 5_000_002),
            ([1], "abc", 0), ([0, 0, 7], "abc", 2), ([], "", 5_000_000), ([], "abcd", 5_000_003),
        ] as [([UInt8], String, Int64?)])
    func zerosComeFirst(_ start: [UInt8], _ end: String, _ difference: Int64?) throws {
        try withScratch { folder in
            let (path, other) = (folder.appending("it"), folder.appending("other"))
            try other.write(Array("abc".utf8))
            try path.write(start)
            let writer = try FileDescriptor.open(path, .writeOnly)
            try writer.closeAfter {
                #expect(ftruncate(writer.rawValue, 5_000_000) == 0)
                _ = try writer.writeAll(toAbsoluteOffset: 5_000_000, end.utf8)
            }
            let file = try ContainedFile(path, below: folder)
            #expect(try file.firstDifference(fromZeros: 5_000_000, thenFrom: other) == difference)
        }
    }

    @Test func aFileThatGrowsIsNotReadOn() throws {
        try withScratch { folder in
            let path = folder.appending("it")
            try path.write([1, 2])
            let file = try ContainedFile(path, below: folder)
            let writer = try FileDescriptor.open(path, .writeOnly, options: [.append])
            try writer.closeAfter { _ = try writer.writeAll([3]) }
            #expect(file.size == 2)
            do {
                _ = try file.sha256Hex()
                Issue.record("it was read to an end that moves")
            } catch let fault as ContainedFile.Fault {
                #expect(fault.description.contains("grows"))
            }
        }
    }

    @Test func aCancelledTaskReadsNoFurther() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try withScratch { folder in
                try folder.appending("it").write([1])
                return try ContainedFile(folder.appending("it"), below: folder).sha256Hex()
            }
        }
        await #expect(throws: ContainedFile.Fault.self) { try await task.value }
    }

    @Test func thePlainDigestDoesNotBlockOnAPipe() throws {
        try withScratch { folder in
            let path = folder.appending("pipe")
            #expect(mkfifo(path.string, 0o600) == 0)
            #expect(throws: PackFormatError.fileNotRead(path, reason: "it is not a regular file")) {
                try Digest.sha256Hex(of: path)
            }
        }
    }
}
