import Foundation
import Glibc
import SystemPackage
import Testing

@testable import Harness

@Suite struct WholeFileTests {
    /// Calls `body` with a folder of its own, and answers what is in it afterwards.
    private func inFolder(_ body: (FilePath) throws -> Void) throws -> [String] {
        let folder = FilePath(FileManager.default.temporaryDirectory.path).appending("whole-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder.string) }
        try body(folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
    }

    @Test func aFileTakesThePlaceOfAnother() throws {
        let left = try inFolder { folder in
            let path = folder.appending("file")
            // Also over what one that was killed may have left.
            try Data("old".utf8).write(to: URL(filePath: path.string + ".new"))
            for text in ["first, and longer", "second"] {
                try WholeFile.write(text.utf8, to: path)
                #expect(try String(contentsOf: URL(filePath: path.string), encoding: .utf8) == text)
            }
            var status = stat()
            #expect(stat(path.string, &status) == 0 && status.st_mode & 0o777 & ~0o044 == 0o600)
        }
        #expect(left == ["file"])
    }

    @Test func whatCannotBeWrittenSaysWhy() throws {
        let left = try inFolder { folder in
            #expect(throws: Errno.noSuchFileOrDirectory) {
                try WholeFile.write([1], to: folder.appending("none").appending("file"))
            }
            try FileManager.default.createDirectory(
                atPath: folder.appending("taken").string, withIntermediateDirectories: false)
            #expect(throws: Errno.isDirectory) { try WholeFile.write([1], to: folder.appending("taken")) }
        }
        // The folder that was in the way is as it was.
        #expect(left == ["taken"])
    }

    /// Killed by the kernel in the middle of a file: by SIGXFSZ, for which a limit says when.
    @Test func ofAWriterThatIsKilledNothingIsLeft() async throws {
        let folder = "/tmp/headwind-whole-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("old".utf8).write(to: URL(filePath: folder + "/file"))
        await #expect(processExitsWith: .signal(SIGXFSZ)) { [folder = folder as String] in
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
            var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            signal(SIGXFSZ, SIG_DFL)
            var all = sigset_t()
            sigfillset(&all)
            pthread_sigmask(SIG_UNBLOCK, &all, nil)
            try WholeFile.write([UInt8](repeating: 7, count: 1 << 20), to: FilePath(folder + "/file"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
        #expect(try String(contentsOf: URL(filePath: folder + "/file"), encoding: .utf8) == "old")
    }
}
