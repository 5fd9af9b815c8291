import Glibc
import PackFormat
import Scenarios
import SystemPackage

/// Tells whose a bundle is: one that this user made on this machine, and whose scenario nobody has changed since, may run
/// its command without being asked for trust.
///
/// It is a hash of the machine's identifier (machine-id(5)), the user and the scenario's text. Who does not know the
/// identifier cannot make one, and having seen one does not help: it fits one text alone. This keeps a bundle from elsewhere
/// from running by mistake; it does not keep users of one machine from each other, for which the owner of the files is
/// looked at.
enum BundleOrigin {
    /// The hash for a text, and for the program in headwind-client's place, if there was one; nil where the machine has no
    /// identifier.
    static func of(scenario: [UInt8], client: String? = nil) -> String? {
        for file in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            guard let bytes = try? BoundedFile.read(FilePath(file), most: 64), bytes.count >= 32 else { continue }
            let text = "headwind bundle\n\(String(decoding: bytes.prefix(32), as: UTF8.self))\n\(getuid())\n"
            return Digest.sha256Hex(Array((text + (client.map { "client \($0)\n" } ?? "")).utf8) + scenario)
        }
        return nil
    }
}
