import Foundation
import Glibc
import SystemPackage

/// A folder on a disk, with room for files of gigabytes.
enum DiskFolder {
    /// No disk with enough room, and why.
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// Whether the file system at this path is in memory; see stat(1).
    private static func isMemory(_ place: String) throws -> Bool {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["stat", "--file-system", "--format=%T", place]
        process.standardOutput = output
        try process.run()
        let kind = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return ["tmpfs\n", "ramfs\n"].contains(kind)
    }

    /// Runs the body with a folder in TMPDIR or, if that is in memory or too full, in /var/tmp; removes it afterwards.
    ///
    /// Throws ``Missing`` if no disk there has `room` bytes free.
    static func with<Value>(room: Int64, _ body: (FilePath) async throws -> Value) async throws -> Value {
        let places = [FileManager.default.temporaryDirectory.path, "/var/tmp"]
        var refusals: [String] = []
        for place in places {
            var status = statvfs()
            guard statvfs(place, &status) == 0 else {
                refusals.append("'\(place)': \(Errno(rawValue: errno))")
                continue
            }
            let free = Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
            if try isMemory(place) {
                refusals.append("'\(place)' is memory")
            } else if free < room {
                refusals.append("'\(place)' has \(free) bytes free")
            } else {
                let folder = "\(place)/odr-disk-\(UUID().uuidString)"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                defer { try? FileManager.default.removeItem(atPath: folder) }
                return try await body(FilePath(folder))
            }
        }
        throw Missing(
            description: "This test needs a disk with \(room) bytes free: \(refusals.joined(separator: "; ")). "
                + "Make room, or name another folder by TMPDIR.")
    }
}
