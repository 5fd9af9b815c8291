import FoundationEssentials
import Glibc
import LinuxSupport
import PacketLink
package import SystemPackage

/// Secrets of TLS connections, which programs write to the file that SSLKEYLOGFILE names.
package struct KeyLog: Sendable {
    package let path: FilePath

    package init(_ path: FilePath) { self.path = path }

    /// The limit on the file, 16 MiB; a program's secrets take some 200 bytes a connection.
    private static let mostBytes = 16 << 20

    /// Moves the secrets into a capture, where Wireshark finds them, and removes their own file.
    ///
    /// Without secrets, the capture stays unchanged. Throws `HarnessError` if the capture cannot be written.
    package func move(into capture: FilePath, and others: [UInt8] = []) throws {
        defer { try? FileManager.default.removeItem(atPath: path.string) }
        try copy(into: capture, and: others)
    }

    /// Copies the secrets into a capture, and leaves their own file unchanged.
    package func copy(into capture: FilePath, and others: [UInt8] = []) throws {
        let written = (try? BoundedFile.read(path, most: Self.mostBytes)) ?? []
        let lines = Self.lines(written.prefix(Self.mostBytes) + others)
        guard !lines.isEmpty else { return }
        // Another process never uses this name for its files.
        let copy = FilePath("\(capture.string).\(UUID().uuidString).part")
        do {
            defer { try? FileManager.default.removeItem(atPath: copy.string) }
            try CaptureFile(capture).copy(to: copy, .withSecrets(lines))
            guard rename(copy.string, capture.string) == 0 else { throw Errno(rawValue: errno) }
        } catch {
            throw HarnessError.notWritten(capture, reason: error.systemReason)
        }
    }

    /// The lines in the format of a key log, without repetitions.
    private static func lines(_ bytes: [UInt8]) -> [UInt8] {
        var known: Set<[UInt8]> = []
        return bytes.split(separator: UInt8(ascii: "\n")).map(Array.init).filter { line in
            let words = line.split(separator: UInt8(ascii: " "))
            return words.count == 3 && line.allSatisfy { (0x20..<0x7F).contains($0) } && known.insert(line).inserted
        }.flatMap { $0 + [UInt8(ascii: "\n")] }
    }
}
