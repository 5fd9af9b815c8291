import Foundation
import Glibc
import SystemPackage
import Testing

@testable import ResultFiles

@Suite struct AtomicFileTests {
    /// Calls `body` with a new folder, and returns the folder's files afterwards.
    private func inFolder(_ body: (FilePath) throws -> Void) throws -> [String] {
        let folder = FilePath(FileManager.default.temporaryDirectory.path).appending("whole-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder.string) }
        try body(folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
    }

    @Test func aFileReplacesAnother() throws {
        let left = try inFolder { folder in
            let path = folder.appending("file")
            // A file of somebody else with a similar name stays.
            try Data("old".utf8).write(to: URL(filePath: path.string + ".new"))
            for text in ["first, and longer", "second"] {
                try AtomicFile.write(text.utf8, to: path)
                #expect(try String(contentsOf: URL(filePath: path.string), encoding: .utf8) == text)
            }
            var status = stat()
            #expect(stat(path.string, &status) == 0 && status.st_mode & 0o777 & ~0o044 == 0o600)
            // A private file keeps no permission of the one that it replaces.
            chmod(path.string, 0o644)
            try AtomicFile.write("private".utf8, to: path, isPrivate: true)
            #expect(stat(path.string, &status) == 0 && status.st_mode & 0o777 == 0o600)
            #expect(try String(contentsOf: URL(filePath: path.string + ".new"), encoding: .utf8) == "old")
        }
        #expect(left == ["file", "file.new"])
    }

    enum Kind: String, CaseIterable, Sendable {
        case pipe, device, descriptor
    }

    /// A pipe, a link to a device and a link to a descriptor are not replaced; they receive the bytes.
    @Test(arguments: Kind.allCases)
    func onlyRegularFilesAreReplaced(_ kind: Kind) throws {
        let left = try inFolder { folder in
            let (path, other) = (folder.appending("stream"), folder.appending("other"))
            let reader: Int32
            switch kind {
            case .pipe:
                #expect(mkfifo(path.string, 0o600) == 0)
                // A pipe without a reader is an error, not a wait.
                #expect(throws: Errno.noSuchAddressOrDevice) { try AtomicFile.write("none".utf8, to: path) }
                reader = open(path.string, O_RDONLY | O_NONBLOCK)
            case .device:
                #expect(symlink("/dev/null", path.string) == 0)
                reader = open("/dev/null", O_RDONLY)
            case .descriptor:
                reader = open(other.string, O_RDWR | O_CREAT | O_APPEND, 0o600)
                #expect(symlink("/proc/self/fd/\(reader)", path.string) == 0)
            }
            defer { close(reader) }
            var (before, after) = (stat(), stat())
            #expect(lstat(path.string, &before) == 0)
            try AtomicFile.check(path)
            try AtomicFile.write("text".utf8, to: path)
            #expect(lstat(path.string, &after) == 0 && before.st_ino == after.st_ino)
            var bytes = [UInt8](repeating: 0, count: 16)
            if kind == .descriptor { lseek(reader, 0, SEEK_SET) }
            let count = read(reader, &bytes, bytes.count)
            #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == (kind == .device ? "" : "text"))
        }
        #expect(left == (kind == .descriptor ? ["other", "stream"] : ["stream"]))
    }

    @Test func aCheckLeavesNothing() throws {
        let left = try inFolder { folder in
            try AtomicFile.check(folder.appending("file"))
            #expect(throws: Errno.isDirectory) { try AtomicFile.check(folder) }
            #expect(throws: Errno.noSuchFileOrDirectory) { try AtomicFile.check(folder.appending("none/file")) }
        }
        #expect(left == [])
    }

    @Test func anErrorSaysWhyWritingFailed() throws {
        let left = try inFolder { folder in
            #expect(throws: Errno.noSuchFileOrDirectory) {
                try AtomicFile.write([1], to: folder.appending("none").appending("file"))
            }
            try FileManager.default.createDirectory(
                atPath: folder.appending("taken").string, withIntermediateDirectories: false)
            #expect(throws: Errno.isDirectory) { try AtomicFile.write([1], to: folder.appending("taken")) }
        }
        // The folder with the file's name is unchanged.
        #expect(left == ["taken"])
    }

    /// RLIMIT_FSIZE makes the kernel kill the writer in the middle of a file, by SIGXFSZ.
    @Test func aKilledWriterLeavesNothing() async throws {
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
            try AtomicFile.write([UInt8](repeating: 7, count: 1 << 20), to: FilePath(folder + "/file"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["file"])
        #expect(try String(contentsOf: URL(filePath: folder + "/file"), encoding: .utf8) == "old")
    }
}
