import FoundationEssentials
import Glibc
import Harness
import PacketLink
package import SystemPackage
import Testbed

/// Where the packets of a program are recorded, and whether with the secrets of its TLS.
package struct ExecCapture: Sendable {
    let path: FilePath
    let keepsSecrets: Bool

    /// What the program writes its secrets to, in the sandbox's own memory: they end with it, whatever happens.
    private static let keyLog = FilePath("tls-keys")

    package init(path: FilePath, keepsSecrets: Bool) {
        self.path = FilePath(FileManager.default.currentDirectoryPath).pushing(path).lexicallyNormalized()
        self.keepsSecrets = keepsSecrets
    }

    /// Whether there is a device at the path, such as /dev/null.
    package static func isDevice(_ path: FilePath) -> Bool {
        var status = stat()
        return stat(path.string, &status) == 0 && [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT)
    }

    /// What a link records.
    var packets: PacketCapture { PacketCapture(path: path, hasPayload: keepsSecrets) }

    /// The variables of a program in a sandbox, beside its own.
    func variables(in sandbox: Testbed.Sandbox) -> [String: String] {
        keepsSecrets ? ["SSLKEYLOGFILE": sandbox.scratch.inside.appending(Self.keyLog.components).string] : [:]
    }

    /// Puts the secrets that the program has written into the capture.
    func addSecrets(of sandbox: Testbed.Sandbox) throws {
        guard keepsSecrets, let file = try? sandbox.scratch.open(Self.keyLog) else { return }
        try file.closeAfter { try KeyLog(FilePath("/proc/self/fd/\(file.rawValue)")).copy(into: path) }
    }
}
