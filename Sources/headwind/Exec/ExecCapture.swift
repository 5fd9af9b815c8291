import FoundationEssentials
import Glibc
import Harness
import PacketLink
import SystemPackage

/// Where the packets of a program are recorded, and the secrets of its TLS if they are to be kept.
struct ExecCapture: Sendable {
    let path: FilePath
    /// Where the program writes its secrets; nil where none are kept.
    let keyLog: FilePath?

    init(path: FilePath, keepsSecrets: Bool) {
        let whole = FilePath(FileManager.default.currentDirectoryPath).pushing(path).lexicallyNormalized()
        self.path = whole
        keyLog = keepsSecrets ? FilePath(whole.string + ".keys") : nil
    }

    /// What a link records.
    var packets: PacketCapture { PacketCapture(path: path, hasPayload: keyLog != nil) }

    /// Makes the file for secrets.
    func prepare() throws {
        if let keyLog { try KeyLog(keyLog).make() }
    }

    /// Removes the file for secrets, if it is still there.
    func removeKeys() {
        if let keyLog { unlink(keyLog.string) }
    }

    /// Puts the secrets that the program has written into the capture, and removes their own file.
    func addSecrets() throws {
        if let keyLog { try KeyLog(keyLog).move(into: path) }
    }
}
