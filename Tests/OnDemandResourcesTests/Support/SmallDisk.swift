import Foundation
import Glibc
import SystemPackage
import Testing

/// A file system of a size of its own, which fills as a device's does.
///
/// It is in a mount namespace of its own, so that it needs no privilege and is gone with the process that holds it.
struct SmallDisk {
    /// Where it is for this process.
    let root: FilePath
    /// Something else on the device that takes room.
    var ballast: FilePath { root.appending("ballast") }

    /// Mounts one of so many bytes, with so many of them taken.
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

    /// Puts so much else on the device that not a page is left.
    func fill() throws {
        let file = try FileDescriptor.open(
            root.appending("rest"), .writeOnly, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
        defer { try? file.close() }
        let page = [UInt8](repeating: 1, count: 4096)
        do { while true { try file.writeAll(page) } } catch Errno.noSpace {}
    }

    /// Takes away what else is on the device.
    func makeRoom() throws { try FileManager.default.removeItem(atPath: ballast.string) }
}
