import Harness
import LinuxSupport
import PacketLink
package import SystemPackage
import Testbed

/// The file that records the packets of a program, with or without its TLS secrets.
package struct ExecCapture: Sendable {
    let path: FilePath
    let keepsSecrets: Bool

    /// The file for the program's TLS secrets, in the sandbox's own memory, so they always end with the sandbox.
    private static let keyLog = FilePath("tls-keys")

    package init(path: FilePath, keepsSecrets: Bool) {
        self.path = path.whole
        self.keepsSecrets = keepsSecrets
    }

    /// Whether there is a device at the path, such as /dev/null.
    package static func isDevice(_ path: FilePath) -> Bool {
        (try? path.stat()).map { [.characterSpecial, .blockSpecial].contains($0.type) } ?? false
    }

    /// The capture of packets that a link makes.
    var packets: PacketCapture { PacketCapture(path: path, hasPayload: keepsSecrets) }

    /// The additional variables of a program in a sandbox.
    func variables(in sandbox: Testbed.Sandbox) -> [String: String] {
        keepsSecrets ? ["SSLKEYLOGFILE": sandbox.scratch.inside.appending(Self.keyLog.components).string] : [:]
    }

    /// Adds the secrets that the program has written to the capture.
    func addSecrets(of sandbox: Testbed.Sandbox) throws {
        guard keepsSecrets, let file = try? sandbox.scratch.open(Self.keyLog) else { return }
        try file.closeAfter { try KeyLog(FilePath("/proc/self/fd/\(file.rawValue)")).copy(into: path) }
    }
}
