import Foundation
import PackFormat
import SystemPackage
import Testing

struct SystemReasonTests {
    @Test(
        "says what the system said, without the layers that passed it on",
        arguments: [("/proc/x/y", "No such file or directory"), ("/etc/passwd/x", "Not a directory")])
    func folder(path: String, reason: String) throws {
        let error = try #require(throws: (any Error).self) {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        #expect(error.systemReason == reason)
    }

    @Test("says the same of a file, and keeps the words of other errors")
    func file() throws {
        let error = try #require(throws: (any Error).self) {
            try Data().write(to: URL(filePath: "/proc/x"), options: .atomic)
        }
        #expect(!error.systemReason.contains("Domain") && !error.systemReason.isEmpty)
        #expect(Errno.noSpace.systemReason == "No space left on device")
    }

    @Test("a full disk is not an ordinary failure")
    func fullDisk() throws {
        struct Other: Error, CustomStringConvertible { let description = "it broke" }
        let path = FilePath("/dev/full")
        let error = try #require(throws: (any Error).self) { try Data([1]).write(to: URL(filePath: path.string)) }
        #expect(error.systemErrno == .noSpace)
        #expect(PackFormatError.writing(path, error) == .noSpace(path))
        #expect(PackFormatError.writing(path, Other()) == .fileNotWritten(path, reason: "it broke"))
    }
}
