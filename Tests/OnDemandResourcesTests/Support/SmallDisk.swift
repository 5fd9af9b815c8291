import Foundation
import Glibc
import SystemPackage
import Testing

/// A file system with its own size, which fills up as a device's does.
///
/// It has its own mount namespace, so it needs no privilege and ends with the process that holds it.
struct SmallDisk {
    /// Its path for this process.
    let root: FilePath
    /// A file that takes room, as other data on a device does.
    var ballast: FilePath { root.appending("ballast") }

    /// Mounts a file system of `bytes` bytes, of which `ballast` bytes are taken.
    static func with<Value>(
        bytes: Int, ballast: Int, _ body: (SmallDisk) async throws -> Value
    ) async throws -> Value {
        let holder = Process()
        let (input, output) = (Pipe(), Pipe())
        let script = """
            mount -t tmpfs -o size=\(bytes),mode=0700 none /mnt && \
            head -c \(ballast) /dev/zero > /mnt/ballast && echo ready && exec cat
            """
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let rights = geteuid() == 0 ? [] : ["--user", "--map-root-user"]
        holder.arguments = ["unshare", "--mount"] + rights + ["sh", "-c", script]
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        defer {
            try? input.fileHandleForWriting.close()
            holder.waitUntilExit()
        }
        let word = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        try #require(word == "ready\n", "no small file system can be mounted here")
        return try await body(SmallDisk(root: FilePath("/proc/\(holder.processIdentifier)/root/mnt")))
    }

    /// Fills the file system until no page is free.
    func fill() throws {
        let file = try FileDescriptor.open(
            root.appending("rest"), .writeOnly, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
        defer { try? file.close() }
        let page = [UInt8](repeating: 1, count: 4096)
        do { while true { try file.writeAll(page) } } catch Errno.noSpace {}
    }

    /// Removes the ballast.
    func makeRoom() throws { try FileManager.default.removeItem(atPath: ballast.string) }
}
